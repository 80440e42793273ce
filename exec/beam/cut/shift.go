package cut

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// shifted is the kernel's IR for the programs of a piece. Parameters follow its own: the piece's place in the grid, the
// sizes of the grid, and for each tensor how many elements before its own first one the memory begins, negated. So
// program ids and addresses are those of the whole launch, and what they mean in memory is the piece's.
func (p *Program) shifted() (*ir.Func, error) {
	fn, err := p.lowered()
	if err != nil {
		return nil, err
	}
	s := &shifting{fn: fn}
	var from, num [3]*ir.Value
	for axis, name := range []string{"x", "y", "z"} {
		from[axis], num[axis] = s.param("from_"+name), s.param("programs_"+name)
	}
	moved := map[*ir.Value]*ir.Value{}
	for _, v := range fn.Params[:len(p.args)] {
		if v.Type.D.IsPointer() {
			at := fn.NewValue(ir.PtrAdd, v.Type, v.Pos, v, s.param(v.Text+"_begins"))
			moved[v] = at
			s.entry = append(s.entry, at)
		}
	}
	fn.Replace(moved)
	for v, at := range moved {
		at.Args[0] = v // Replace has no place for a use that stays, and sees those in blocks only
	}
	fn.Walk(func(b *ir.Block) { s.programs(b, from, num) })
	fn.Body.Values = append(s.entry, fn.Body.Values...)
	fn.Renumber()
	return fn, nil
}

type shifting struct {
	fn    *ir.Func
	entry []*ir.Value // to stand at the beginning
}

// param is another parameter.
func (s *shifting) param(name string) *ir.Value {
	v := s.fn.NewValue(ir.Param, ir.Scalar(dtype.Int64), s.fn.Params[0].Pos)
	v.Index, v.Text = len(s.fn.Params), name
	s.fn.Params = append(s.fn.Params, v)
	return v
}

// programs makes program ids and the sizes of the grid those of the whole launch.
func (s *shifting) programs(b *ir.Block, from, num [3]*ir.Value) {
	var out []*ir.Value
	for _, v := range b.Values {
		switch v.Op {
		case op.ProgramID:
			id := s.fn.NewValue(op.ProgramID, v.Type, v.Pos)
			id.Index = v.Index
			first := s.as(from[v.Index], v, &out)
			v.Op, v.Args, v.Index = op.Add, []*ir.Value{id, first}, 0
			out = append(out, id)
		case op.NumPrograms:
			n := s.as(num[v.Index], v, &out)
			zero := s.fn.NewValue(op.Const, v.Type, v.Pos)
			v.Op, v.Args, v.Index = op.Add, []*ir.Value{n, zero}, 0
			out = append(out, zero)
		}
		out = append(out, v)
	}
	b.Values = out
}

// as is a parameter in the type of a value.
func (s *shifting) as(x, like *ir.Value, out *[]*ir.Value) *ir.Value {
	if x.Type == like.Type {
		return x
	}
	c := s.fn.NewValue(op.Cast, like.Type, like.Pos, x)
	*out = append(*out, c)
	return c
}
