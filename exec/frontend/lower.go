package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A lowering is one run over a kernel: it lowers statements and expressions by their syntax.
type lowering struct{ control }

// control is where a run goes: through regions, whose bodies are functions that it is given.
type control struct {
	run
	flow    flow
	regions []*region
	calls   []ast.Node // functions being inlined
}

// kernel lowers the kernel, and reports whether it must be done again.
func (l *lowering) kernel() (restart bool) {
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case again:
			restart = true
		case tooLarge:
		default:
			panic(r)
		}
	}()
	l.block = l.fn.Body
	l.frame = &frame{vars: map[types.Object]*variable{}}
	l.typeErrorsIn(l.k.Node)
	l.calls = append(l.calls, l.k.Node)
	l.parameters()
	l.regions = []*region{{kind: kernelRegion, mode: returning}}
	l.list(l.k.Body.List, true)
	if l.flow.kind == falls {
		l.at(l.k.Body.Rbrace)
		l.Emit(ir.Return, ir.Type{})
	}
	return false
}

// parameters declares the kernel's parameters.
func (l *control) parameters() {
	i := -1
	for _, field := range l.k.Params.List {
		names := field.Names
		if len(names) == 0 {
			names = []*ast.Ident{nil}
		}
		for _, id := range names {
			v := value{kind: programKind}
			pos, name := field.Pos(), "_"
			if id != nil {
				pos, name = id.Pos(), id.Name
			}
			if i >= 0 {
				v = l.parameter(i, name, pos)
			}
			i++
			if id != nil {
				l.declare(l.f.Info.Defs[id], name, v, pos)
			}
		}
	}
}

// parameter is the Param of the kernel's parameter i, or its value if it is fixed.
func (l *control) parameter(i int, name string, pos token.Pos) value {
	p, a := l.spec.Params[i], l.args[i]
	d := dtype.Int64
	switch p.Kind {
	case gofile.Ptr:
		d = dtype.PointerTo(a.DType)
	case gofile.Float:
		d = dtype.Float64
	case gofile.Bool:
		d = dtype.Bool
	}
	v := l.fn.NewValue(ir.Param, ir.Scalar(d), l.f.Position(pos))
	v.Index, v.Text = i, name
	l.fn.Params = append(l.fn.Params, v)
	if l.spec.Fixed[i] {
		switch p.Kind {
		case gofile.DType:
			return dtypeValue(a.DType)
		case gofile.String:
			return stringValue(a.Str)
		case gofile.Float:
			return floatValue(a.Float)
		case gofile.Bool:
			return boolValue(a.Bool)
		}
		return intValue(int(a.Int))
	}
	switch p.Kind {
	case gofile.Ptr:
		return pointerTo(v, v)
	case gofile.Float:
		return runtime(types.Float64, v)
	case gofile.Bool:
		return runtime(types.Bool, v)
	}
	return runtime(types.Int, v)
}
