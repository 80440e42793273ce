package exec

import (
	"math"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// goInts converts a float in every way that Go has.
func goInts(p *tl.Program, x, out tl.Ptr, scale float64) {
	f := tl.Load(x.Add(p.ID(0))).Float() * scale
	h := float32(f)
	at := out.Add(p.ID(0) * 32)
	tl.Store(at, int(f))
	tl.Store(at.Add(1), int(int8(f)))
	tl.Store(at.Add(2), int(int16(f)))
	tl.Store(at.Add(3), int(int32(f)))
	tl.Store(at.Add(4), int(int64(f)))
	tl.Store(at.Add(5), int(uint(f)))
	tl.Store(at.Add(6), int(uint8(f)))
	tl.Store(at.Add(7), int(uint16(f)))
	tl.Store(at.Add(8), int(uint32(f)))
	tl.Store(at.Add(9), int(uint64(f)))
	tl.Store(at.Add(10), int(h))
	tl.Store(at.Add(11), int(int8(h)))
	tl.Store(at.Add(12), int(int16(h)))
	tl.Store(at.Add(13), int(int32(h)))
	tl.Store(at.Add(14), int(int64(h)))
	tl.Store(at.Add(15), int(uint(h)))
	tl.Store(at.Add(16), int(uint8(h)))
	tl.Store(at.Add(17), int(uint16(h)))
	tl.Store(at.Add(18), int(uint32(h)))
	tl.Store(at.Add(19), int(uint64(h)))
	tl.Store(at.Add(20), int(uint8(int32(f))))
	if n := int32(f); n > 0 && uint8(f) != 0 {
		tl.Store(at.Add(21), int(n))
	}
}

// knownInts converts floats that are known when it is compiled.
func knownInts(p *tl.Program, out tl.Ptr, N tl.Const) {
	f := float64(N) * 1e30
	tl.Store(out, int(f))
	tl.Store(out.Add(1), int(int32(f)))
	tl.Store(out.Add(2), int(uint64(-f)))
	tl.Store(out.Add(3), int(int16(math.NaN())))
	tl.Store(out.Add(4), int(uint8(math.Inf(-N))))
}

// edges are floats around the bounds of the integer types, and far from them.
func edges() (list []float64) {
	for _, e := range []float64{0, 1 << 7, 1 << 8, 1 << 15, 1 << 16, 1 << 31, 1 << 32, 1 << 53, 1 << 63, 1 << 64, 1e10, 1e30, 3.4e38, 1e300} {
		for _, x := range []float64{e, e - 1, e - 0.5, e + 0.5, e + 1, math.Nextafter(e, 0), math.Nextafter(e, 1e308), e * 1.7} {
			list = append(list, x, -x)
		}
	}
	return append(list, math.NaN(), math.Copysign(math.NaN(), -1), math.Inf(1), math.Inf(-1))
}

// Go leaves to the processor what int(x) is of a float that int does not hold. Whatever it is,
// compiled kernels give it too.
func TestGoConversions(t *testing.T) {
	values := edges()
	x := tensor.Of(values)
	n := len(values)
	o := Options{Memory: "off"}
	want, wantKnown := tensor.Zeros(tl.Int64, n, 32), tensor.Zeros(tl.Int64, 5)
	if err := New(goInts, o).Launch(Grid{n}, x, want, 1.0); err != nil {
		t.Fatal(err)
	}
	if err := New(knownInts, o).Launch(Grid{1}, wantKnown, 3); err != nil {
		t.Fatal(err)
	}
	for _, e := range Engines() {
		o.Engine = e
		got, gotKnown := tensor.Zeros(tl.Int64, n, 32), tensor.Zeros(tl.Int64, 5)
		if err := New(goInts, o).Launch(Grid{n}, x, got, 1.0); err != nil {
			t.Errorf("%s: %v", e, err)
			continue
		}
		for i, v := range values {
			for j := range 32 {
				if g, w := got.At(i, j), want.At(i, j); g != w {
					t.Errorf("%s: conversion %d of %v is %v, want %v", e, j, v, g, w)
				}
			}
		}
		if err := New(knownInts, o).Launch(Grid{1}, gotKnown, 3); err != nil || !tensor.Equal(gotKnown, wantKnown) {
			t.Errorf("%s: %v; got %v, want %v", e, err, gotKnown, wantKnown)
		}
	}
	k := New(goInts, Options{Memory: "off"})
	if rep, err := k.Promote(Grid{n}, x, want, 1.0); err != nil || !rep.Promoted {
		t.Errorf("%v\n%v", err, rep)
	}
}
