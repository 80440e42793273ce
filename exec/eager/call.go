package eager

import (
	"reflect"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Go is a function of Go that runs an instance: func(p *tl.Program, ...), as a kernel of Go is.
func (f *Func) Go() reflect.Value {
	in := []reflect.Type{reflect.TypeFor[*tl.Program]()}
	for _, p := range f.ir.Params {
		in = append(in, GoType(p.Type.D))
	}
	return reflect.MakeFunc(reflect.FuncOf(in, nil, false), func(args []reflect.Value) []reflect.Value {
		tiles := make([]tl.Tile, len(f.ir.Params))
		for i, p := range f.ir.Params {
			tiles[i] = tileOf(args[i+1], p.Type.D)
		}
		f.Run(args[0].Interface().(*tl.Program), tiles)
		return nil
	})
}

// GoType is the type of a parameter of Go's that stands for one of the IR.
func GoType(d dtype.DType) reflect.Type {
	switch {
	case d.IsPointer():
		return reflect.TypeFor[tl.Tile]()
	case d == dtype.Float64:
		return reflect.TypeFor[float64]()
	case d == dtype.Bool:
		return reflect.TypeFor[bool]()
	}
	return reflect.TypeFor[int]()
}

// tileOf is an argument of the function as a tile of its parameter's type.
func tileOf(v reflect.Value, d dtype.DType) tl.Tile {
	switch {
	case d.IsPointer():
		return v.Interface().(tl.Tile)
	case d == dtype.Float64:
		return tl.Full(d, v.Float())
	case d == dtype.Bool:
		return tl.Full(d, v.Bool())
	}
	return tl.Full(dtype.Int64, int(v.Int()))
}
