package affine

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Axes give for each dimension of a value the dimension of a loop nest that runs over it,
// or -1 for one that stays at index 0.
type Axes [ir.MaxRank]int8

// Identity maps a shape's dimensions to themselves.
func Identity(s ir.Shape) (m Axes) {
	for i := range s.N {
		m[i] = int8(i)
		if s.D[i] == 1 {
			m[i] = -1
		}
	}
	return m
}

// Through is the map of v's operand, where v moves whole dimensions and has map m.
func Through(v *ir.Value, m Axes) (z Axes) {
	to, _ := DimMap(v)
	for i := range v.Args[0].Type.Shape.N {
		z[i] = -1
		if to[i] >= 0 {
			z[i] = m[to[i]]
		}
	}
	return z
}

// DimMap says, for a shape op that moves whole dimensions, which dimension of the
// result each dimension of the operand becomes; -1 for one of size 1 that is
// repeated or dropped.
func DimMap(v *ir.Value) (m [ir.MaxRank]int, ok bool) {
	x, z := v.Args[0].Type.Shape, v.Type.Shape
	switch v.Op {
	case op.Broadcast:
		for i := range x.N {
			m[i] = i + z.N - x.N
			if x.D[i] == 1 {
				m[i] = -1
			}
		}
		return m, true
	case op.Permute:
		for i, a := range v.Axes {
			m[a] = i
			if x.D[a] == 1 {
				m[a] = -1
			}
		}
		return m, true
	case op.Reshape:
		return reshapeMap(x, z)
	}
	return m, false
}

// reshapeMap matches dimensions one by one where only those of size 1 come or go.
func reshapeMap(x, z ir.Shape) (m [ir.MaxRank]int, ok bool) {
	j := 0
	for i := range x.N {
		if x.D[i] == 1 {
			m[i] = -1
			continue
		}
		for j < z.N && z.D[j] == 1 {
			j++
		}
		if j == z.N || z.D[j] != x.D[i] {
			return m, false
		}
		m[i] = j
		j++
	}
	for ; j < z.N; j++ {
		if z.D[j] != 1 {
			return m, false
		}
	}
	return m, true
}

// Repeated is the scalar that a tile repeats, nil if it is not one repeated.
func Repeated(v *ir.Value) *ir.Value {
	for v.Type.IsTile() {
		if v.Op != op.Broadcast && v.Op != op.Reshape {
			return nil
		}
		v = v.Args[0]
	}
	return v
}

// IsZeros reports whether a tile is +0 everywhere.
func IsZeros(v *ir.Value) bool {
	s := Repeated(v)
	return s != nil && s.Op == op.Const && s.Bits == 0
}

// RepeatedConst is the constant that a tile repeats, nil if it is not one repeated.
func RepeatedConst(v *ir.Value) *ir.Value {
	if s := Repeated(v); s != nil && s.Op == op.Const && !s.Type.D.IsPointer() {
		return s
	}
	return nil
}

// MergedRows in Axes is the first of dimensions that are one in a nest, whose inner loop runs over them.
const MergedRows = -2

// Merged makes limits of merged rows, of row elements each, limits of their elements: those of a shape along the
// dimension inner.
func (y *Syms) Merged(atoms []Atom, m Axes, inner int, s ir.Shape, row int) ([]Atom, Axes) {
	atoms, z := slices.Clone(atoms), m
	for i, a := range atoms {
		if m[a.Dim] != MergedRows {
			continue
		}
		rows := y.Constant(int64(s.D[inner] / row))
		for _, limit := range []**Sym{&atoms[i].Lo, &atoms[i].Hi} {
			if *limit != nil {
				*limit = y.Mul(y.Max(y.Constant(0), y.Min(rows, *limit)), y.Constant(int64(row)))
			}
		}
		z[a.Dim] = int8(inner)
	}
	return atoms, z
}
