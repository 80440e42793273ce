package trace

import (
	"fmt"
	"reflect"
	"strconv"

	tl "github.com/tiler-go/tiler/tilelang"
)

// How much of a variable is recorded.
const (
	maxRows = 8
	maxCols = 16
	maxText = 200 // bytes
)

// Assigned is a variable that a statement gave a value to. Type is its Go type.
type Assigned struct {
	Name  string
	Type  string
	Value any
}

// variable is the record of a variable, and how many elements that holds.
func variable(a Assigned) (v Var, elements int) {
	v = Var{Name: a.Name, Type: a.Type}
	x, ok := a.Value.(tl.Tile)
	if !ok {
		v.Values = goValue(a.Value)
		return v, 1
	}
	defer func() {
		if recover() != nil { // a Tile that was declared and not yet made
			v, elements = Var{Name: a.Name, Type: a.Type}, 1
		}
	}()
	d := x.DType()
	v.Tile, v.Type, v.Shape = true, d.Short(), ints(x.Shape())
	if b := x.Base(); b != nil {
		v.Of = b.Name
	}
	rows, cols := 1, 1
	for i, n := range v.Shape {
		if i == len(v.Shape)-1 {
			cols = n
		} else {
			rows *= n
		}
	}
	r, c := min(rows, maxRows), min(cols, maxCols)
	if rows == 1 {
		c = min(cols, maxRows*maxCols/2)
	}
	v.Shown = []int{r, c}
	bits := x.Bits()
	v.Values = join(r*c, d, func(i int) uint64 { return bits[i/c*cols+i%c] })
	return v, r * c
}

// goValue is a value that is no tile as text, "" if its type says more.
func goValue(v any) string {
	switch x := v.(type) {
	case nil:
		return "nil"
	case float64:
		return strconv.FormatFloat(x, 'g', 6, 64)
	case string:
		return strconv.Quote(x[:min(len(x), maxText)])
	}
	switch k := reflect.TypeOf(v).Kind(); {
	case k == reflect.Bool, k >= reflect.Int && k <= reflect.Complex128:
		return fmt.Sprint(v)
	}
	return ""
}
