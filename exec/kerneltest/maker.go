package kerneltest

import (
	"fmt"
	"strconv"
	"strings"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Case is one launch of a row.
type Case struct {
	Row   *Row
	D     tl.DType
	Op    string
	Shape Shape
}

func (c Case) String() string {
	s := fmt.Sprintf("%s/%v", c.Row.Name, c.D)
	if c.Op != "" {
		s += "/" + c.Op
	}
	for _, name := range []string{"n", "rows", "cols", "M", "N", "K", "R", "C", "BM", "BN", "BK"} {
		if v, ok := c.Shape.Vars[name]; ok {
			s += fmt.Sprintf("/%s%d", name, v)
		}
	}
	if _, ok := c.Shape.Vars["BLOCK"]; ok {
		s += "/" + max(c.Shape.Mask, "all")
	}
	return s
}

// EachOp is the row's operations, "" if it names none.
func (r *Row) EachOp() []string {
	if r.Ops == "" {
		return []string{""}
	}
	return strings.Fields(r.Ops)
}

// Cases is every launch of the row.
func (r *Row) Cases() (list []Case) {
	for _, d := range r.Types {
		for _, op := range r.EachOp() {
			for _, s := range r.Shapes {
				list = append(list, Case{r, d, op, s})
			}
		}
	}
	return list
}

// A Made is the arguments of a launch, and the memory that its tensors lie in.
type Made struct {
	Grid []int
	Args []any
	*World
}

// Make makes the arguments of a case, the same each time.
//
// A word of Row.Args is a tensor (x, y random; z, w written; t tiny numbers; i a permutation, int32; m
// bools; with @dtype and :size; xx one tensor twice; xz two views of one, an element
// apart; v a view, with :size:step of each dimension), a number of the shape by name, a product
// of such, MASK, OP, a dtype as :f16, or a value.
func (c Case) Make() Made {
	w := NewWorld(uint64(len(c.Row.Name)*1000 + int(c.D)))
	m := Made{World: w}
	for _, g := range strings.Fields(c.Row.Grid) {
		m.Grid = append(m.Grid, c.eval(g))
	}
	for _, word := range strings.Fields(c.Row.Args) {
		m.Args = append(m.Args, c.arg(w, word)...)
	}
	return m
}

func (c Case) arg(w *World, word string) []any {
	switch word {
	case "MASK":
		return []any{c.Shape.Mask}
	case "OP":
		return []any{c.Op}
	case "true", "false":
		return []any{word == "true"}
	}
	if v, ok := c.Shape.Vars[word]; ok {
		return []any{v}
	}
	if strings.Contains(word, "*") && !strings.Contains(word, ":") {
		return []any{c.eval(word)}
	}
	if d, ok := strings.CutPrefix(word, ":"); ok {
		return []any{MustParse(d)}
	}
	if n, err := strconv.Atoi(word); err == nil {
		return []any{n}
	}
	if f, err := strconv.ParseFloat(word, 64); err == nil {
		return []any{f}
	}
	return c.tensors(w, word)
}

// MustParse is the dtype of a name.
func MustParse(name string) tl.DType {
	d, err := dtype.Parse(name)
	if err != nil {
		panic(err)
	}
	return d
}

func (c Case) tensors(w *World, word string) []any {
	word, size, sized := strings.Cut(word, ":")
	word, name, typed := strings.Cut(word, "@")
	n, d := c.Shape.Vars["n"], c.D
	if typed {
		d = MustParse(name)
	}
	if word == "v" {
		return []any{c.view(w, d, strings.Split(size, ":"))}
	}
	if sized {
		n = c.eval(size)
	}
	switch word {
	case "x", "y", "z", "w":
		return []any{w.Add(d, n)}
	case "t":
		return []any{w.AddBits(d, n, func(int) uint64 { return TinyBits(w.R, d) })}
	case "i":
		perm := w.R.Perm(n)
		return []any{w.AddBits(dtype.Int32, n, func(i int) uint64 { return uint64(perm[i]) })}
	case "m":
		return []any{w.AddBits(dtype.Bool, n, func(i int) uint64 { return uint64(w.R.IntN(2)) })}
	case "xx":
		x := w.Add(d, n)
		return []any{x, x}
	case "xz":
		x := w.Add(d, n+1)
		return []any{x.Slice(0, 0, n), x.Slice(0, 1, n+1)}
	}
	panic("kerneltest: unknown argument " + word)
}

// view is a view of given sizes and steps.
func (c Case) view(w *World, d tl.DType, dims []string) *tensor.Tensor {
	var shape, strides []int
	span := 1
	for i := 0; i < len(dims); i += 2 {
		shape, strides = append(shape, c.eval(dims[i])), append(strides, c.eval(dims[i+1]))
		span += (shape[i/2] - 1) * strides[i/2]
	}
	return w.view(w.Add(d, span), shape, strides)
}

// eval computes a product of names and numbers; a/b rounds up, and binds tighter.
func (c Case) eval(text string) int {
	z := 1
	for _, factor := range strings.Split(text, "*") {
		a, b, divided := strings.Cut(factor, "/")
		v := c.value(a)
		if divided {
			v = tl.Cdiv(v, c.value(b))
		}
		z *= v
	}
	return z
}

func (c Case) value(name string) int {
	if v, ok := c.Shape.Vars[name]; ok {
		return v
	}
	v, err := strconv.Atoi(name)
	if err != nil {
		panic(fmt.Sprintf("kerneltest: %s has no %s", c, name))
	}
	return v
}

// Changed says where the launch's tensors, guards included, differ from those of
// another launch of the same case, or "".
func (m Made) Changed(want Made, guardsOnly bool) string {
	for i, x := range want.Whole {
		if s := differ(m.Whole[i].Buf(), x.Buf(), want.Views[x], guardsOnly); s != "" {
			return fmt.Sprintf("tensor %d: %s", i, s)
		}
	}
	return ""
}
