package tilelang

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// Scans run in order: out[0] = x[0], out[i] = f(out[i-1], x[i]), from the far end
// if reversed.

type scanArgs struct {
	axis    int
	reverse bool
	as      dtype.DType
}

// scanOptions reads the options of a scan; typed is whether it takes As.
func scanOptions(name string, typed bool, o []ScanOption) (a scanArgs) {
	for _, o := range o {
		switch o := o.(type) {
		case AxisOption:
			a.axis = int(o)
		case reverse:
			a.reverse = true
		case TypeOption:
			a.as = asOption(name, typed, o)
		}
	}
	return a
}

// scanSlabs scans each block in place of z, which starts as a copy of the input.
func scanSlabs(z []slabs, reversed bool, combine combiner) {
	s := z[0]
	prev, cur := make([]dtype.Buf, len(z)), make([]dtype.Buf, len(z))
	for o := range s.outer {
		for i := 1; i < s.n; i++ {
			at, before := i, i-1
			if reversed {
				at, before = s.n-1-i, s.n-i
			}
			for k := range z {
				prev[k], cur[k] = z[k].rows(o, before, before+1), z[k].rows(o, at, at+1)
			}
			combine(cur, prev)
		}
	}
}

// scanBy scans with an elementwise op of type d, f(previous, current), and converts
// each output to the result's type.
func scanBy(name string, o op.Op, d, result dtype.DType, t *node, a scanArgs) Tile {
	axis := t.axis(name, a.axis)
	z := newNode(name, result, t.shape)
	work := z
	if d != result {
		var m *temp
		work = &node{dt: d, shape: t.shape, strides: t.shape.Dense(), dense: true}
		work.buf, m = newTemp(d, t.shape.Len())
		defer m.free()
	}
	t.writeTo(work.buf)
	s, _ := work.slabs(d, axis)
	scanSlabs([]slabs{s}, a.reverse, func(cur, prev []dtype.Buf) { op.Apply(o, d, cur[0], prev[0], cur[0]) })
	if d != result {
		work.writeTo(z.buf)
	}
	if m := t.watched(); m != nil {
		alongAll(z, []*node{t}, func(bits *node) *node {
			return scanBy(name, op.Or, Uint8, Uint8, bits, scanArgs{axis: axis, reverse: a.reverse}).t
		})
	}
	return tile(z)
}

// CumSum is the running sum along an axis. It widens as Sum does; float16 carries
// float32 and rounds each result, bfloat16 becomes float32.
func CumSum(x Tile, o ...ScanOption) Tile {
	const name = "tl.CumSum"
	t, a := x.node(name), scanOptions(name, true, o)
	refusePointer(name, t)
	result := rule.Widened32(t.dt)
	if t.dt == BFloat16 {
		result = Float32
	}
	if a.as != Invalid {
		result = a.as
	}
	return scanBy(name, op.Add, result.Compute(), result, t, a)
}

// CumProd is the running product along an axis. It keeps the dtype and wraps;
// float16 carries float32 and rounds each result, bfloat16 becomes float32.
func CumProd(x Tile, o ...ScanOption) Tile {
	const name = "tl.CumProd"
	t, a := x.node(name), scanOptions(name, true, o)
	refusePointer(name, t)
	result := t.dt
	if t.dt == BFloat16 {
		result = Float32
	}
	if a.as != Invalid {
		result = a.as
	}
	return scanBy(name, op.Mul, result.Compute(), result, t, a)
}

// Scan is the running value along an axis of an associative function of tiles.
func Scan(x Tile, fn func(a, b Tile) Tile, o ...ScanOption) Tile {
	return scanTuple("tl.Scan", []Tile{x}, func(a, b []Tile) []Tile { return []Tile{fn(a[0], b[0])} }, o)[0]
}

// Scan2 scans pairs.
func Scan2(x, y Tile, fn func(x1, y1, x2, y2 Tile) (Tile, Tile), o ...ScanOption) (Tile, Tile) {
	z := scanTuple("tl.Scan2", []Tile{x, y}, func(a, b []Tile) []Tile {
		u, v := fn(a[0], a[1], b[0], b[1])
		return []Tile{u, v}
	}, o)
	return z[0], z[1]
}

func scanTuple(name string, xs []Tile, fn func(a, b []Tile) []Tile, o []ScanOption) []Tile {
	a := scanOptions(name, false, o)
	ts := sameShape(name, xs)
	z, out := make([]slabs, len(ts)), make([]Tile, len(ts))
	for k, t := range ts {
		n := newNode(name, t.dt, t.shape)
		t.writeTo(n.buf)
		z[k], _ = n.slabs(t.dt, t.axis(name, a.axis)) // dense: nothing is borrowed
		out[k] = tile(n)
	}
	c := combination{name: name, of: ts, fn: func(cur, prev []Tile) []Tile { return fn(prev, cur) }}
	scanSlabs(z, a.reverse, c.lanes)
	c.tried()
	if m := joined(ts...); m != nil {
		a.as = Invalid
		for _, x := range out {
			alongAll(x.t, ts, func(bits *node) *node { return scanBy(name, op.Or, Uint8, Uint8, bits, a).t })
		}
	}
	return out
}
