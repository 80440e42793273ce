package tilerbeam

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/tiler-go/tiler/exec/beam/cut"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func init() {
	register.DoFn2x2[context.Context, *tensor.Tensor, *tensor.Tensor, error](&mapFn{})
	beam.RegisterCoder(reflect.TypeFor[*tensor.Tensor](), encodeTensor, decodeTensor)
}

// encodeTensor is the coder of tensors: their dtype, shape and elements.
func encodeTensor(x *tensor.Tensor) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(x)
	return b.Bytes(), err
}

func decodeTensor(b []byte) (*tensor.Tensor, error) {
	x := new(tensor.Tensor)
	return x, gob.NewDecoder(bytes.NewReader(b)).Decode(x)
}

// A Kernel is what Map applies. Sizes are numbers, dim0, dim1 and so on for the tensor's dimensions, len for the number
// of its elements, and any of these /N for how many blocks of N there are.
type Kernel struct {
	File, Text string   // the source, and what messages call it; its end says whether it is Go or Triton's Python
	Name       string   // of the kernel; empty: the only one
	Grid       []string // sizes
	// Args is PARAM=VALUE for every parameter: a size, another number, true, false, nil or a dtype; in for the tensor, out
	// for the result.
	Args []string
	// DType and Shape, in sizes, are the result's; empty: the tensor's.
	DType string
	Shape []string
	Check bool // whether each worker checks a program with every sanitizer first, for each shape
}

// Map applies a kernel to each tensor of a collection of *tensor.Tensor.
func Map(s beam.Scope, k Kernel, tensors beam.PCollection) (beam.PCollection, error) {
	if _, _, err := cut.Params(k.File, k.Text, k.Name); err != nil {
		return beam.PCollection{}, err
	}
	text, err := json.Marshal(k)
	if err != nil {
		return beam.PCollection{}, err
	}
	return beam.ParDo(s.Scope("tiler.Map"), &mapFn{Kernel: string(text)}, tensors), nil
}

// mapFn applies a kernel.
type mapFn struct {
	Kernel string

	kernel Kernel
	params []string
	mu     sync.Mutex
	shapes map[string]*cut.Program
}

// Setup reads the kernel.
func (f *mapFn) Setup() (err error) {
	f.shapes = map[string]*cut.Program{}
	if err = json.Unmarshal([]byte(f.Kernel), &f.kernel); err == nil {
		f.kernel.Name, f.params, err = cut.Params(f.kernel.File, f.kernel.Text, f.kernel.Name)
	}
	return err
}

// ProcessElement is the result of a tensor.
func (f *mapFn) ProcessElement(ctx context.Context, x *tensor.Tensor) (*tensor.Tensor, error) {
	x = x.Contiguous()
	p, err := f.program(ctx, x)
	if err != nil {
		return nil, err
	}
	pieces, err := p.Cut(1<<60, 1)
	if err != nil {
		return nil, err
	}
	s := newHeld(p, x)
	return s.out, p.Run(ctx, pieces[0], s)
}

// program is the kernel compiled for tensors like x, and tried on x.
func (f *mapFn) program(ctx context.Context, x *tensor.Tensor) (*cut.Program, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := tensor.Describe(x.DType(), x.Shape())
	if p := f.shapes[key]; p != nil {
		return p, nil
	}
	l, err := f.kernel.launch(f.params, x)
	if err != nil {
		return nil, err
	}
	p, err := cut.Compile(l)
	if err != nil {
		return nil, err
	}
	pieces, err := p.Cut(1<<60, 1)
	if err == nil {
		err = f.try(ctx, p, pieces[0], x)
	}
	if err != nil {
		return nil, err
	}
	f.shapes[key] = p
	return p, nil
}

// try tries a program of the kernel on a tensor, and checks it if the kernel says so.
func (f *mapFn) try(ctx context.Context, p *cut.Program, q cut.Piece, x *tensor.Tensor) error {
	l := p.Loader()
	defer l.Release()
	t, err := l.Load(ctx, q, newHeld(p, x))
	if err != nil {
		return err
	}
	defer t.Free()
	return t.Prove(ctx, f.kernel.Check)
}

// launch is the launch for a tensor.
func (k *Kernel) launch(params []string, x *tensor.Tensor) (*cut.Launch, error) {
	l := &cut.Launch{File: k.File, Text: k.Text, Kernel: k.Name, Args: make([]cut.Arg, len(params))}
	out := &cut.Tensor{DType: x.DType().String(), Shape: x.Shape()}
	var err error
	if k.DType != "" {
		d, err := dtype.Parse(k.DType)
		if err != nil {
			return nil, err
		}
		out.DType = d.String()
	}
	if k.Shape != nil {
		if out.Shape, err = sizes(k.Shape, x); err != nil {
			return nil, err
		}
	}
	if l.Grid, err = sizes(k.Grid, x); err != nil {
		return nil, err
	}
	given := map[string]string{}
	for _, a := range k.Args {
		name, value, _ := strings.Cut(a, "=")
		given[name] = value
	}
	for i, name := range params {
		value, ok := given[name]
		n, err := size(value, x)
		switch {
		case !ok:
			return nil, fmt.Errorf("%s of %s has no argument", name, k.Name)
		case value == "in":
			l.Args[i].Tensor = &cut.Tensor{DType: x.DType().String(), Shape: x.Shape()}
		case value == "out":
			l.Args[i].Tensor = out
		case err == nil:
			v := int64(n)
			l.Args[i].Int = &v
		default:
			l.Args[i] = parseValue(value)
		}
	}
	return l, nil
}

func sizes(texts []string, x *tensor.Tensor) (z []int, err error) {
	for _, t := range texts {
		n, err := size(t, x)
		if err != nil {
			return nil, err
		}
		z = append(z, n)
	}
	return z, nil
}

// size is a size for a tensor.
func size(text string, x *tensor.Tensor) (int, error) {
	term, by, blocks := strings.Cut(text, "/")
	n, err := strconv.Atoi(term)
	if dim, ok := strings.CutPrefix(term, "dim"); ok {
		i, e := strconv.Atoi(dim)
		if err = e; err == nil && (i < 0 || i >= x.Rank()) {
			return 0, fmt.Errorf("%s: the tensor is %s", text, tensor.Describe(x.DType(), x.Shape()))
		}
		if err == nil {
			n = x.Dim(i)
		}
	} else if term == "len" {
		n, err = x.Len(), nil
	}
	if err != nil || !blocks {
		return n, err
	}
	b, err := strconv.Atoi(by)
	if err != nil || b < 1 {
		return 0, fmt.Errorf("got the size %q, want one such as dim0/64", text)
	}
	return (n + b - 1) / b, nil
}

// held is a tensor and its result, as a launch has them.
type held struct {
	p       *cut.Program
	in, out *tensor.Tensor
}

func newHeld(p *cut.Program, x *tensor.Tensor) *held {
	h := &held{p: p, in: x}
	for i := range p.Stores() {
		t := p.Launch.Args[i].Tensor
		h.out = tensor.Zeros(t.Type(), t.Shape...)
		if p.Loads()[i] {
			h.out = x.Clone() // it works in place
		}
	}
	return h
}

// Read implements cut.Store. There is one piece, and its regions are contiguous or whole.
func (h *held) Read(_ context.Context, arg int, r cut.Region, into []byte) error {
	x := h.in
	if h.p.Stores()[arg] {
		x = h.out
	}
	at := r.Off * x.DType().Size()
	copy(into, x.Buf().Bytes()[at:])
	return nil
}

// Write implements cut.Store.
func (h *held) Write(_ context.Context, arg int, r cut.Region, from []byte) error {
	at := r.Off * h.out.DType().Size()
	copy(h.out.Buf().Bytes()[at:], from)
	return nil
}
