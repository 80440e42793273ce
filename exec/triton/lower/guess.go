package lower

import (
	"github.com/tiler-go/tiler/exec/triton/lower/builtin"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
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

// pointerAmong lowers a function, and returns the place of an argument that should be a pointer,
// -1 if there is none.
func (f *File) pointerAmong(def *syntax.FuncDef, args []Arg) (param int, err error) {
	defer func() {
		r := recover()
		w, ok := r.(builtin.Wanted)
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
			if at == w.Param.Index {
				param, err = i, nil
			}
			at++
		}
	}()
	_, err = f.lower(def, args, true)
	return -1, err
}
