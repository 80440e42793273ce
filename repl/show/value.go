package show

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec/check"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Shower is a value that knows its picture.
type Shower interface{ Show(Options) Picture }

// Value is any value as it is shown at a prompt.
func Value(v any, o Options) Picture {
	switch v := v.(type) {
	case nil:
		return Text("nil")
	case Picture:
		return v
	case Shower:
		return v.Show(o)
	case tl.Tile:
		return Tile(v, o)
	case *tensor.Tensor:
		return Tensor(v, o)
	case *tl.Program:
		return Program(v)
	case *check.Report:
		return Report(v)
	case string:
		if strings.Contains(v, "\n") {
			return Text(v)
		}
		return Text(strconv.Quote(v))
	case error:
		return Text(v.Error())
	}
	switch rv := reflect.ValueOf(v); {
	case rv.Kind() == reflect.Pointer && rv.IsNil():
		return Text("nil")
	case rv.Kind() == reflect.Func && !rv.IsNil():
		return Text(rv.Type().String())
	}
	return Text(fmt.Sprintf("%+v", v))
}

// Program is a program instance: which one of which grid.
func Program(p *tl.Program) Picture {
	if p == nil {
		return Text("nil")
	}
	axes := 1
	for a := range 3 {
		if p.Num(a) > 1 {
			axes = a + 1
		}
	}
	id, num := make([]string, axes), make([]string, axes)
	for a := range axes {
		id[a], num[a] = strconv.Itoa(p.ID(a)), strconv.Itoa(p.Num(a))
	}
	var q Picture
	q.add(Name, "program ("+strings.Join(id, ",")+")", Head, " of a grid of ("+strings.Join(num, ",")+")")
	return q
}

// AsPlain is a value as PyTorch prints it: tensor([[ 0,  1], [ 8,  9]]), and as Go
// prints what is neither tile nor tensor. A pointer tile is its element offsets.
func AsPlain(v any) string {
	x, ok := v.(tl.Tile)
	if !ok || !valid(x) {
		return fmt.Sprint(v)
	}
	a := tileArray(x)
	return tensor.FormatNamed("tensor", a.dt, a.shape, a.at, tensor.FormatOptions{})
}
