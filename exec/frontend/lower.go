package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/flow"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A lowering is one run over a kernel: it lowers statements and expressions by their syntax.
type lowering struct{ flow.Control }

// kernel lowers the kernel, and reports whether it must be done again.
func (l *lowering) kernel() (restart bool) {
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case value.Again:
			restart = true
		case value.TooLarge:
		default:
			panic(r)
		}
	}()
	l.Block = l.Func.Body
	l.Frame = &value.Frame{Vars: map[types.Object]*value.Variable{}}
	l.TypeErrorsIn(l.Kernel.Node)
	l.Calls = append(l.Calls, l.Kernel.Node)
	l.parameters()
	l.Regions = []*flow.Region{{Kind: flow.Kernel, Mode: flow.Returning}}
	l.list(l.Kernel.Body.List, true)
	if l.Flow.Kind == flow.Falls {
		l.At(l.Kernel.Body.Rbrace)
		l.Emit(ir.Return, ir.Type{})
	}
	return false
}

// parameters declares the kernel's parameters.
func (l *lowering) parameters() {
	i := -1
	for _, field := range l.Kernel.Params.List {
		names := field.Names
		if len(names) == 0 {
			names = []*ast.Ident{nil}
		}
		for _, id := range names {
			v := value.Value{Kind: value.ProgramKind}
			pos, name := field.Pos(), "_"
			if id != nil {
				pos, name = id.Pos(), id.Name
			}
			if i >= 0 {
				v = l.parameter(i, name, pos)
			}
			i++
			if id != nil {
				l.Declare(l.File.Info.Defs[id], name, v, pos)
			}
		}
	}
}

// parameter is the Param of the kernel's parameter i, or its value if it is fixed.
func (l *lowering) parameter(i int, name string, pos token.Pos) value.Value {
	p, a := l.Spec.Params[i], l.Args[i]
	d := dtype.Int64
	switch p.Kind {
	case gofile.Ptr:
		d = dtype.PointerTo(a.DType)
	case gofile.Float:
		d = dtype.Float64
	case gofile.Bool:
		d = dtype.Bool
	}
	v := l.Func.NewValue(ir.Param, ir.Scalar(d), l.File.Position(pos))
	v.Index, v.Text = i, name
	l.Func.Params = append(l.Func.Params, v)
	if l.Spec.Fixed[i] {
		switch p.Kind {
		case gofile.DType:
			return value.DType(a.DType)
		case gofile.String:
			return value.String(a.Str)
		case gofile.Float:
			return value.Float(a.Float)
		case gofile.Bool:
			return value.Bool(a.Bool)
		}
		return value.Int(int(a.Int))
	}
	switch p.Kind {
	case gofile.Ptr:
		return value.Pointer(v, v)
	case gofile.Float:
		return value.Runtime(types.Float64, v)
	case gofile.Bool:
		return value.Runtime(types.Bool, v)
	}
	return value.Runtime(types.Int, v)
}
