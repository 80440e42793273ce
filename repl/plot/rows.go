package plot

import (
	"reflect"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Rows is the numbers of a tile, a tensor or a slice: the rows of a matrix, or a vector as one row. ok is false for what
// is none.
func Rows(v any) (rows [][]float64, ok bool) {
	switch x := v.(type) {
	case tl.Tile:
		return tileRows(x)
	case *tensor.Tensor:
		if x == nil || x.Rank() > 2 {
			return nil, false
		}
		return split(x.Floats(), x.Shape()), true
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Slice && rv.Kind() != reflect.Array {
		return nil, false
	}
	row := make([]float64, rv.Len())
	for i := range row {
		e := rv.Index(i)
		switch {
		case e.CanFloat():
			row[i] = e.Float()
		case e.CanInt():
			row[i] = float64(e.Int())
		case e.CanUint():
			row[i] = float64(e.Uint())
		case e.Kind() == reflect.Slice:
			if r, ok := Rows(e.Interface()); ok && len(r) == 1 {
				rows = append(rows, r[0])
				continue
			}
			return nil, false
		default:
			return nil, false
		}
	}
	if rows != nil {
		return rows, true
	}
	return [][]float64{row}, true
}

func tileRows(x tl.Tile) (rows [][]float64, ok bool) {
	defer func() {
		if recover() != nil { // a tile without a value
			rows, ok = nil, false
		}
	}()
	if len(x.Shape()) > 2 || x.DType().IsPointer() {
		return nil, false
	}
	var all []float64
	for _, v := range x.Values() {
		switch v := v.(type) {
		case int:
			all = append(all, float64(v))
		case float64:
			all = append(all, v)
		case bool:
			all = append(all, map[bool]float64{true: 1}[v])
		}
	}
	return split(all, x.Shape()), true
}

// split is elements in rows of a shape's last dimension.
func split(all []float64, shape []int) (rows [][]float64) {
	if len(shape) < 2 {
		return [][]float64{all}
	}
	for n := shape[1]; n > 0 && len(all) >= n; all = all[n:] {
		rows = append(rows, all[:n])
	}
	return rows
}
