package lower

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Guess makes tensors of float32 of those arguments that are integers and that the function
// uses as pointers: Python does not say which parameters are tensors.
func (f *File) Guess(def *syntax.FuncDef, args []Arg) ([]Arg, error) {
	args = append([]Arg{}, args...)
	for {
		param, err := f.pointerAmong(def, args)
		if param < 0 {
			return args, err
		}
		args[param].Type = dtype.PointerTo(dtype.Float32)
	}
}

// wanted is panicked with where an integer parameter should be a pointer.
type wanted struct{ param *ir.Value }

// pointerAmong lowers a function, and returns the place of an argument that should be a pointer,
// -1 if there is none.
func (f *File) pointerAmong(def *syntax.FuncDef, args []Arg) (param int, err error) {
	defer func() {
		r := recover()
		w, ok := r.(wanted)
		if !ok {
			if r != nil {
				panic(r)
			}
			return
		}
		at := 0
		for i, a := range args {
			if a.Type == dtype.Invalid {
				continue
			}
			if at == w.param.Index {
				param, err = i, nil
			}
			at++
		}
	}()
	_, err = f.lower(def, args, true)
	return -1, err
}

// want ends a lowering that guesses if v, where a pointer should be, is an integer parameter or
// one with something added to it.
func (l *emitter) want(v *ir.Value) {
	if !l.guessing || v.Type.D.IsPointer() {
		return
	}
	if p := addend(v, map[*ir.Value]bool{}); p != nil {
		panic(wanted{p})
	}
}

// addend is the first parameter of which v is a sum, nil if there is none.
func addend(v *ir.Value, seen map[*ir.Value]bool) *ir.Value {
	if seen[v] {
		return nil
	}
	seen[v] = true
	switch v.Op {
	case ir.Param:
		return v
	case op.Add, op.Sub, op.Cast, op.Broadcast, op.Reshape, ir.Fits:
		for _, a := range v.Args {
			if p := addend(a, seen); p != nil {
				return p
			}
		}
	}
	return nil
}
