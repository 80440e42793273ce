package screen

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/show"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Vars lists the variables.
func (v *View) Vars(context.Context, string) error {
	var rows [][]string
	for _, d := range v.Cells.Vars() {
		rows = append(rows, []string{d.Name, d.Type, Brief(d.Value)})
	}
	if len(rows) == 0 {
		v.Note("there are no variables")
		return nil
	}
	v.Say(show.Table([]string{"name", "type", ""}, rows))
	return nil
}

// Brief is a value in a few words.
func Brief(v cell.Value) string {
	switch x := v.V.(type) {
	case nil:
		return "nil"
	case *tensor.Tensor:
		if x != nil {
			return strings.TrimSuffix(x.DType().Short()+show.Dims(x.Shape())+", "+remarks(x), ", ")
		}
	case tl.Tile:
		if lines := strings.Split(show.Tile(x, show.Options{}).String(), "\n"); len(lines) > 0 {
			return lines[0]
		}
	case *exec.Kernel:
		if x != nil {
			return x.Name()
		}
	}
	switch rv := reflect.ValueOf(v.V); rv.Kind() {
	case reflect.Func, reflect.Chan:
		return ""
	case reflect.Slice, reflect.Map, reflect.String:
		if rv.Len() > 100 {
			return fmt.Sprintf("%d elements", rv.Len())
		}
	}
	text := fmt.Sprintf("%+v", v.Box)
	if str, ok := v.V.(string); ok {
		text = fmt.Sprintf("%q", str)
	}
	line, _, _ := strings.Cut(text, "\n")
	if short := []rune(line); len(short) > 40 {
		return string(short[:39]) + "…"
	}
	return line
}

// Tensors lists the variables that are tensors.
func (v *View) Tensors(context.Context, string) error {
	var rows [][]string
	total := 0
	for _, d := range v.Cells.Vars() {
		x, ok := d.Value.V.(*tensor.Tensor)
		if !ok || x == nil {
			continue
		}
		bytes := x.Len() * x.DType().Size()
		total += bytes
		rows = append(rows, []string{d.Name, x.DType().Short() + show.Dims(x.Shape()), Bytes(bytes), remarks(x)})
	}
	if len(rows) == 0 {
		v.Note("there are no tensors; x := tensor.Rand(1, tl.Float32, 8, 8) makes one")
		return nil
	}
	rows = append(rows, []string{"", "", Bytes(total), ""})
	v.Say(show.Table([]string{"name", "type", "size", ""}, rows))
	return nil
}

// remarks is what is special about a tensor.
func remarks(x *tensor.Tensor) string {
	var parts []string
	if !x.IsContiguous() {
		parts = append(parts, "strides "+show.Dims(x.Strides()))
	}
	if x.Undefined() {
		parts = append(parts, "not all of it was written")
	}
	return strings.Join(parts, ", ")
}

// Bytes is a number of bytes in the unit that reads best.
func Bytes(bytes int) string {
	switch {
	case bytes >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	case bytes >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%d B", bytes)
}
