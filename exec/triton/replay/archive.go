package replay

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path"
	"sort"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec/triton/spell"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// An Archive is recorded launches.
type Archive struct {
	entries  map[string]*zip.File
	Launches []Launch
}

// A Launch is one of them.
type Launch struct {
	ID     string   // NAME/I
	File   string   // NAME.py
	Kernel string   `json:"kernel"`
	Line   int      `json:"line"`
	Grid   []int    `json:"grid"`
	Args   []Arg    `json:"args"`
	_      struct{} // no options: they are hints
}

// An Arg is a recorded argument.
type Arg struct {
	Name    string          `json:"name"`
	Kind    string          `json:"kind"` // tensor, scalar, const or other
	Type    string          `json:"type"`
	Value   json.RawMessage `json:"value"`
	DType   string          `json:"dtype"`
	Shape   []int           `json:"shape"`
	Strides []int           `json:"strides"`
	Offset  int             `json:"offset"`
	Storage json.Number     `json:"storage"`
}

// Open reads an archive.
func Open(r io.ReaderAt, size int64) (*Archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, err
	}
	a := &Archive{entries: map[string]*zip.File{}}
	for _, f := range z.File {
		a.entries[f.Name] = f
	}
	for name := range a.entries {
		if path.Base(name) != "launch.json" {
			continue
		}
		text, err := a.read(name)
		if err != nil {
			return nil, err
		}
		l := Launch{ID: path.Dir(name), File: path.Dir(path.Dir(name)) + ".py"}
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		a.Launches = append(a.Launches, l)
	}
	sort.Slice(a.Launches, func(i, k int) bool { return less(a.Launches[i].ID, a.Launches[k].ID) })
	return a, nil
}

// less orders launches of a file by number.
func less(a, b string) bool {
	if path.Dir(a) != path.Dir(b) {
		return a < b
	}
	i, _ := strconv.Atoi(path.Base(a))
	k, _ := strconv.Atoi(path.Base(b))
	return i < k
}

func (a *Archive) read(name string) ([]byte, error) {
	f := a.entries[name]
	if f == nil {
		return nil, fmt.Errorf("no %s in the archive", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// memory is the bytes of a storage before or after a launch; before if it did not change.
func (a *Archive) memory(l Launch, storage, when string) ([]byte, error) {
	name := l.ID + "/" + storage + "." + when + ".npy"
	if when == "after" && a.entries[name] == nil {
		name = l.ID + "/" + storage + ".before.npy"
	}
	text, err := a.read(name)
	if err != nil {
		return nil, err
	}
	x, err := tensor.ReadNpy(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return x.Contiguous().Buf().Bytes(), nil
}

// arguments makes the arguments of a launch as memory was before or after it. Those that view
// one storage as elements of one size share memory.
func (a *Archive) arguments(l Launch, when string) ([]any, error) {
	out := make([]any, len(l.Args))
	made := map[string]*tensor.Tensor{}
	for i, x := range l.Args {
		v, err := x.value()
		if x.Kind == "tensor" {
			v, err = a.tensor(l, x, when, made)
		}
		if err != nil {
			return nil, fmt.Errorf("argument %s: %w", x.Name, err)
		}
		out[i] = v
	}
	return out, nil
}

func (a *Archive) tensor(l Launch, x Arg, when string, made map[string]*tensor.Tensor) (*tensor.Tensor, error) {
	d, ok := spell.Type(x.DType)
	if !ok {
		return nil, fmt.Errorf("a tensor of %s", x.DType)
	}
	key := x.Storage.String() + fmt.Sprint(" ", d.Size(), d == dtype.Bool)
	base := made[key]
	if base == nil {
		bytes, err := a.memory(l, x.Storage.String(), when)
		if err != nil {
			return nil, err
		}
		base = tensor.Zeros(d, len(bytes)/d.Size())
		copy(base.Buf().Bytes(), bytes)
		made[key] = base
	}
	if base.DType() != d {
		base = base.Bitcast(d)
	}
	if base.Len() == 0 {
		return base.Reshape(x.Shape...), nil
	}
	return base.AsStrided(x.Shape, x.Strides, x.Offset), nil
}

// value is an argument that is no tensor.
func (x Arg) value() (any, error) {
	text := strings.TrimSpace(string(x.Value))
	switch x.Type {
	case "NoneType":
		return nil, nil
	case "bool":
		return text == "true", nil
	case "int":
		n, err := strconv.ParseInt(text, 10, 64)
		return int(n), err
	case "float":
		return number(text)
	case "str":
		var s string
		err := json.Unmarshal(x.Value, &s)
		return s, err
	case "tuple", "list":
		return x.elements()
	case "dtype":
		var s string
		if err := json.Unmarshal(x.Value, &s); err != nil {
			return nil, err
		}
		s = s[strings.LastIndex(s, ".")+1:]
		d, ok := spell.Type(s)
		if !ok {
			return nil, fmt.Errorf("the dtype %s", s)
		}
		return d, nil
	}
	if x.Kind == "tensor" {
		return nil, nil
	}
	return nil, fmt.Errorf("%s of a kind that cannot be passed", x.Value)
}

// elements is a tuple's, each of them a number, a string, a bool or a tuple.
func (x Arg) elements() (any, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(x.Value, &raw); err != nil {
		return nil, err
	}
	out := []any{}
	for _, r := range raw {
		v, err := Arg{Kind: x.Kind, Type: typeOf(strings.TrimSpace(string(r))), Value: r}.value()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// typeOf is the type of a value as JSON writes it.
func typeOf(text string) string {
	switch {
	case text == "null":
		return "NoneType"
	case text == "true" || text == "false":
		return "bool"
	case strings.HasPrefix(text, "["):
		return "tuple"
	case strings.HasPrefix(text, `"`):
		return "str"
	case strings.ContainsAny(text, ".eE"):
		return "float"
	}
	return "int"
}

func number(text string) (any, error) {
	switch s := strings.Trim(text, `"`); s {
	case "inf", "Infinity":
		return math.Inf(1), nil
	case "-inf", "-Infinity":
		return math.Inf(-1), nil
	case "nan", "NaN":
		return math.NaN(), nil
	default:
		return strconv.ParseFloat(s, 64)
	}
}
