package fuse

import (
	"testing"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

const masked = `func k(v1 *f32 "x", v2 *i32 "y", v3 i32 "n") "k.go" {
  v4 i32[64] = arange
  v5 i32[64] = broadcast v3
  v6 bool[64] = lt v4 v5
  v7 *f32[64] = broadcast v1
  v8 i64[64] = cast v4
  v9 *f32[64] = ptradd v7 v8
  v10 f32[64] = load v9
  v11 bool[64] = gt v10 v10
  v12 bool[64] = and v11 v6
  v13 bool[64] = not v12
  v14 f32[64] = where v11 v10 v10
  v15 *i32[64] = broadcast v2
  v16 *i32[64] = ptradd v15 v8
  v17 i32[64] = where v11 v4 v5
  store v9 v14 v6 masked
  store v16 v17 v6 masked
  return
}
`

// TestLimitsOfMasks takes what is made of a mask alone for padding outside of the box around it.
func TestLimitsOfMasks(t *testing.T) {
	f := ir.MustParse(masked)
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	varies := func(v *ir.Value, _ affine.Axes) bool { return v.Type.IsTile() && v.Op != op.Broadcast }
	box := func(mask *ir.Value, _ affine.Axes) []affine.Atom {
		if mask.Op == op.And {
			return []affine.Atom{{Dim: 0}}
		}
		return nil
	}
	want := map[int]int{11: 0, 12: 1, 13: 1, 14: 0}
	f.Values(func(v *ir.Value) {
		n, ok := want[int(v.ID)]
		atoms, _ := CommonLimits([]*ir.Value{v}, affine.Identity(v.Type.Shape), varies, box)
		if ok && len(atoms) != n {
			t.Errorf("%s has %d limits, want %d", v.Name(), len(atoms), n)
		}
	})
}

// maskOf is the mask that bounds what is looked at of a tile's first dimension, if it is one alone.
func maskOf(p *Schedule, v *ir.Value) *ir.Value {
	if bounds := Demanded(p, v)[0]; len(bounds) == 1 {
		return bounds[0].Mask
	}
	return nil
}

// TestDemanded finds the mask of all stores that a tile is for.
func TestDemanded(t *testing.T) {
	f := ir.MustParse(masked)
	p := Plan(f, false)
	f.Values(func(v *ir.Value) {
		mask := maskOf(p, v)
		switch v.ID {
		case 14, 17:
			if mask == nil || mask.ID != 6 {
				t.Errorf("%s is stored under %v, want v6", v.Name(), mask)
			}
		case 6, 12, 13:
			if mask != nil {
				t.Errorf("%s is stored under %s", v.Name(), mask.Name())
			}
		}
	})
}

const fitsLater = `func k(v1 *f32 "x", v2 i64 "n", v3 i64 "m") "k.go" {
  v4 i32[64] = arange
  v5 *f32[64] = broadcast v1
  v6 i64[64] = cast v4
  v7 *f32[64] = ptradd v5 v6
  v8 f32 = const 0x0(0)
  v9 f32[64] = broadcast v8
  v10 i64 = const 0
  v11 (f32[64]) = for v10 v3 v9 #1 {
    (v12 i64, v13 f32[64])
    v14 f32[64] = load v7
    v15 f32[64] = add v13 v14
    yield v15
  }
  v16 f32[64] = result v11
  v17 i32 = fits v2 "Tile.Lt"
  v18 i32[64] = broadcast v17
  v19 bool[64] = lt v4 v18
  store v7 v16 v19 masked
  return
}
`

// TestDemandedUnderLaterMask finds a mask that is made behind the loop, of a number that was there ahead of it.
func TestDemandedUnderLaterMask(t *testing.T) {
	f := ir.MustParse(fitsLater)
	p := Plan(f, false)
	f.Values(func(v *ir.Value) {
		if v.ID != 15 {
			return
		}
		if mask := maskOf(p, v); mask == nil || mask.ID != 19 {
			t.Errorf("%s is stored under %v, want v19", v.Name(), mask)
		}
	})
}

const gathers = `func k(v1 *i32 "x", v2 i32 "n") "k.go" {
  v3 i32[64] = arange
  v4 i32[64] = broadcast v2
  v5 *i32[64] = broadcast v1
  v6 i64[64] = cast v3
  v7 *i32[64] = ptradd v5 v6
  v8 i32[64] = load v7
  v9 i32[64] = sub v3 v4
  v10 i32[64] = maximum v9 v4
  v11 i32[64] = gather v8 v10
  v12 i32[64] = add v3 v3
  v13 i32[64] = gather v8 v12
  v14 i32[64] = gather v8 v8
  v15 i32[64] = sub v4 v3
  v16 i32[64] = gather v8 v15
  v17 bool[64] = lt v3 v4
  v18 i32[64] = where v17 v3 v10
  v19 i32[64] = gather v8 v18
  v23 i32 = const 7
  v24 i32[64] = broadcast v23
  v20 i32[64] = mod v9 v24
  v21 i32[64] = gather v8 v20
  v22 i32[64] = gather v8 v4
  return
}
`

// TestBeside finds the gathers that pick what lies side by side.
func TestBeside(t *testing.T) {
	want := map[int]bool{11: true, 19: true, 21: true}
	ir.MustParse(gathers).Values(func(v *ir.Value) {
		if v.Op == op.Gather && Beside(v, 0) != want[int(v.ID)] {
			t.Errorf("%s: %v", v.Name(), !want[int(v.ID)])
		}
	})
}
