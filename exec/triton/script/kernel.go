package script

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/tiler-go/tiler/exec/triton"
	"github.com/tiler-go/tiler/exec/triton/spell"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A source is a function of the script as its message says it.
type source struct {
	ID    int                        `json:"id"`
	File  string                     `json:"file"`
	Text  string                     `json:"text"` // of the file
	Like  int                        `json:"like"` // the function that has the text, if it is not here
	Name  string                     `json:"name"`
	Line  int                        `json:"line"` // of its first decorator
	Names map[string]json.RawMessage `json:"names"`

	kernel *triton.Kernel
	err    error // why there is none
}

// kernel notes a function. What is wrong with it is said when it is launched.
func (s *server) kernel(text []byte) error {
	z := &source{}
	if err := json.Unmarshal(text, z); err != nil {
		return fmt.Errorf("a kernel: %w", err)
	}
	if z.Like != 0 {
		like := s.kernels[z.Like]
		if like == nil {
			return fmt.Errorf("a kernel like %d", z.Like)
		}
		z.Text = like.Text
	}
	s.kernels[z.ID] = z
	z.kernel, z.err = s.readKernel(z)
	return nil
}

// readKernel reads a function of a file, which is parsed once.
func (s *server) readKernel(z *source) (*triton.Kernel, error) {
	key := z.File + "\x00" + z.Text
	f := s.files[key]
	if f == nil {
		var err error
		if f, err = triton.Parse(z.File, z.Text); err != nil {
			return nil, err
		}
		s.files[key] = f
	}
	names := map[string]any{}
	for name, raw := range z.Names {
		if v, err := s.value(raw); err == nil {
			names[name] = v
		}
	}
	return f.With(names).KernelAt(z.Name, z.Line)
}

// value is a value as messages write it: JSON's own, or an array that begins with what it is.
func (s *server) value(raw json.RawMessage) (any, error) {
	text := string(raw)
	switch {
	case text == "null":
		return nil, nil
	case text == "true" || text == "false":
		return text == "true", nil
	case text[0] == '"':
		var z string
		err := json.Unmarshal(raw, &z)
		return z, err
	case text[0] != '[':
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s does not fit 64 bits", text)
		}
		return int(n), nil
	}
	var parts []json.RawMessage
	var kind string
	if err := json.Unmarshal(raw, &parts); err != nil || len(parts) == 0 || json.Unmarshal(parts[0], &kind) != nil {
		return nil, fmt.Errorf("a value %s", text)
	}
	if f := valueKinds[kind]; f != nil {
		return f(s, parts[1:])
	}
	return nil, fmt.Errorf("a value %s", text)
}

// valueKinds are the arrays that values are written as. It is filled below, since they contain values.
var valueKinds map[string]func(*server, []json.RawMessage) (any, error)

func init() {
	valueKinds = map[string]func(*server, []json.RawMessage) (any, error){
		"f": floatValue, "d": dtypeValue, "l": (*server).tupleValue, "k": (*server).kernelValue, "t": (*server).tensorValue,
		"v": virtualValue, "b": memberValue, "m": (*server).moduleValue,
		"q": (*server).descriptorValue,
	}
}

// fields reads the parts of an array.
func fields(parts []json.RawMessage, to ...any) error {
	if len(parts) != len(to) {
		return fmt.Errorf("%d parts, want %d", len(parts), len(to))
	}
	for i := range to {
		if err := json.Unmarshal(parts[i], to[i]); err != nil {
			return err
		}
	}
	return nil
}

// floatValue is ["f", text], in Python's hexadecimal notation.
func floatValue(_ *server, parts []json.RawMessage) (any, error) {
	var text string
	if err := fields(parts, &text); err != nil {
		return nil, err
	}
	return strconv.ParseFloat(text, 64)
}

// dtypeValue is ["d", name].
func dtypeValue(_ *server, parts []json.RawMessage) (any, error) {
	var name string
	if err := fields(parts, &name); err != nil {
		return nil, err
	}
	return dtypeNamed(name)
}

func dtypeNamed(name string) (tl.DType, error) {
	d, ok := spell.Type(name)
	if !ok {
		return d, fmt.Errorf("the dtype %s, which kernels do not have here", name)
	}
	return d, nil
}

// tupleValue is ["l", values...].
func (s *server) tupleValue(parts []json.RawMessage) (any, error) {
	z := []any{}
	for _, p := range parts {
		v, err := s.value(p)
		if err != nil {
			return nil, err
		}
		z = append(z, v)
	}
	return z, nil
}

// kernelValue is ["k", id].
func (s *server) kernelValue(parts []json.RawMessage) (any, error) {
	var id int
	if err := fields(parts, &id); err != nil {
		return nil, err
	}
	k := s.kernels[id]
	if k == nil || k.kernel == nil {
		return nil, fmt.Errorf("no function %d", id)
	}
	return k.kernel, nil
}

// memberValue is ["b", module, name].
func memberValue(_ *server, parts []json.RawMessage) (any, error) {
	var m triton.Member
	if err := fields(parts, &m.Module, &m.Name); err != nil {
		return nil, err
	}
	if !m.Known() {
		return nil, fmt.Errorf("no %s.%s", m.Module, m.Name)
	}
	return m, nil
}

// moduleValue is ["m", {name: value}].
func (s *server) moduleValue(parts []json.RawMessage) (any, error) {
	var raw map[string]json.RawMessage
	if err := fields(parts, &raw); err != nil {
		return nil, err
	}
	z := map[string]any{}
	for name, r := range raw {
		if v, err := s.value(r); err == nil {
			z[name] = v
		}
	}
	return z, nil
}

// virtualValue is ["v", dtype, shape, strides].
func virtualValue(_ *server, parts []json.RawMessage) (any, error) {
	var name string
	var shape, strides []int
	if err := fields(parts, &name, &shape, &strides); err != nil {
		return nil, err
	}
	d, err := dtypeNamed(name)
	if err != nil {
		return nil, err
	}
	x := tensor.Virtual(d, shape...)
	if n := span(shape, strides); n != x.Len() {
		x = tensor.Virtual(d, n)
	}
	return x.AsStrided(shape, strides, 0), nil
}

// tensorValue is ["t", region, first byte, dtype, shape, strides].
func (s *server) tensorValue(parts []json.RawMessage) (any, error) {
	var region, at int
	var name string
	var shape, strides []int
	if err := fields(parts, &region, &at, &name, &shape, &strides); err != nil {
		return nil, err
	}
	d, err := dtypeNamed(name)
	if err != nil {
		return nil, err
	}
	n := span(shape, strides) * d.Size()
	b := s.regions[region]
	if at < 0 || n < 0 || at > len(b) || n > len(b)-at || at%d.Size() != 0 {
		return nil, fmt.Errorf("bytes %d to %d of a region of %d", at, at+n, len(b))
	}
	if n == 0 {
		return tensor.Zeros(d, shape...), nil
	}
	return tensor.FromBytes(d, b[at:at+n:at+n]).AsStrided(shape, strides, 0), nil
}

// descriptorValue is ["q", tensor, shape, strides, block shape, whether it pads with NaN].
func (s *server) descriptorValue(parts []json.RawMessage) (any, error) {
	var z triton.Descriptor
	var x json.RawMessage
	if err := fields(parts, &x, &z.Shape, &z.Strides, &z.Block, &z.NaN); err != nil {
		return nil, err
	}
	v, err := s.value(x)
	if err != nil {
		return nil, err
	}
	z.Tensor = v.(*tensor.Tensor)
	return z, nil
}

// span is how many elements there are from the first to the last one of a tensor.
func span(shape, strides []int) int {
	last := 0
	for i, n := range shape {
		if n == 0 || i >= len(strides) {
			return 0
		}
		last += (n - 1) * strides[i]
	}
	return last + 1
}
