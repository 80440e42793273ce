// Package show makes values visible: tiles, tensors, pointers, masks, launches, reports and messages become pictures of
// package picture, which draws them. The functions are pure: they look at values, and keep nothing.
package show

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/picture"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Shower is a value that knows its picture.
type Shower interface{ Show(Options) picture.Picture }

// Value is any value as it is shown at a prompt.
func Value(v any, o Options) picture.Picture {
	switch v := v.(type) {
	case nil:
		return Text("nil")
	case picture.Picture:
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
func Program(p *tl.Program) picture.Picture {
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
	var q picture.Picture
	q.Add(picture.Name, "program ("+strings.Join(id, ",")+")", picture.Head, " of a grid of ("+strings.Join(num, ",")+")")
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
