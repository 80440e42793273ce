package dtype

import (
	"math"
	"testing"
)

func TestNamesRoundTrip(t *testing.T) {
	for _, d := range All() {
		for _, name := range []string{d.String(), d.Short()} {
			if got, err := Parse(name); err != nil || got != d {
				t.Errorf("Parse(%q) = %v, %v", name, got, err)
			}
		}
		p := PointerTo(d)
		if got, err := Parse(p.String()); err != nil || got != p || got.Elem() != d || p.Size() != 8 {
			t.Errorf("pointer to %s: %v, %v", d, got, err)
		}
	}
	if _, err := Parse("float33"); err == nil {
		t.Error("Parse accepts float33")
	}
}

func TestFloat16AllPatterns(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		v := FromFloat16(h)
		if w := WidenNarrow(Float16, h); math.Float32bits(v) != math.Float32bits(w) {
			t.Fatalf("%04x: fast %x, defined %x", h, math.Float32bits(v), math.Float32bits(w))
		}
		if v == v && ToFloat16(v) != h {
			t.Fatalf("%04x widens to %v and comes back %04x", h, v, ToFloat16(v))
		}
	}
}

// halfway returns values around every rounding boundary of d.
func boundaries(d DType) []float32 {
	var vs []float32
	for i := range 1 << (d.Bits() - 1) {
		a, b := float64(WidenNarrow(d, uint16(i))), float64(WidenNarrow(d, uint16(i+1)))
		m := (a + b) / 2
		if a != a || math.IsInf(m, 0) || m != m {
			m = a
		}
		f := float32(m)
		vs = append(vs, f, -f, math.Nextafter32(f, 0), math.Nextafter32(f, float32(math.Inf(1))))
	}
	return append(vs, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32, math.SmallestNonzeroFloat32)
}

func TestFastRounding(t *testing.T) {
	for _, v := range boundaries(Float16) {
		if got, want := ToFloat16(v), RoundNarrow(Float16, float64(v), false); got != want {
			t.Fatalf("float16(%x) = %04x, want %04x", math.Float32bits(v), got, want)
		}
	}
	for _, v := range boundaries(BFloat16) {
		if got, want := ToBFloat16(v), RoundNarrow(BFloat16, float64(v), false); got != want {
			t.Fatalf("bfloat16(%x) = %04x, want %04x", math.Float32bits(v), got, want)
		}
	}
}

// TestRoundNearest compares RoundNarrow with a search for the nearest pattern.
func TestRoundNearest(t *testing.T) {
	for _, d := range []DType{Float8E5, Float8E4NV, Float16} {
		vs := boundaries(d)
		step := 1 + len(vs)/1000
		for i := 0; i < len(vs); i += step {
			v := float64(vs[i])
			if v != v || math.IsInf(v, 0) {
				continue
			}
			got := RoundNarrow(d, v, false)
			if want := nearest(d, v); got != want {
				t.Fatalf("%s(%v) = %x, want %x", d, v, got, want)
			}
		}
	}
}

func nearest(d DType, v float64) uint16 {
	f := &formats[d]
	a := math.Abs(v)
	best, dist := uint(0), math.Inf(1)
	if a > 0x1p20 { // far above every format tested: distances would round to the same float64
		best, dist = f.maxBits, a
	}
	for m := uint(0); m <= f.maxBits && a <= 0x1p20; m++ {
		if e := math.Abs(float64(WidenNarrow(d, uint16(m))) - a); e < dist || e == dist && m&1 == 0 {
			best, dist = m, e
		}
	}
	last := float64(WidenNarrow(d, uint16(f.maxBits))) - float64(WidenNarrow(d, uint16(f.maxBits-1)))
	if !f.saturate && best == f.maxBits && dist >= last/2 {
		best = f.infBits
	}
	if math.Signbit(v) {
		return uint16(best | 1<<signShift(d))
	}
	return uint16(best)
}

func TestConvert(t *testing.T) {
	f32 := func(v float32) uint64 { return uint64(math.Float32bits(v)) }
	f64 := math.Float64bits
	tests := []struct {
		to, from DType
		in, want uint64
		rtz      bool
	}{
		{Int8, Int32, 0x1ff, 0xff, false},
		{Int32, Int8, 0xff, 0xffffffff, false},
		{Uint32, Int8, 0xff, 0xffffffff, false},
		{Int32, Uint8, 0xff, 0xff, false},
		{Int32, Bool, 1, 1, false},
		{Bool, Float32, f32(0.25), 1, false},
		{Bool, Float32, f32(float32(math.NaN())), 1, false},
		{Bool, Float32, f32(float32(math.Copysign(0, -1))), 0, false},
		{Int8, Float32, f32(300), 0x7f, false},
		{Int8, Float32, f32(-300), 0x80, false},
		{Uint8, Float32, f32(-1), 0, false},
		{Int32, Float32, f32(float32(math.NaN())), 0, false},
		{Int64, Float64, f64(1e300), math.MaxInt64, false},
		{Int64, Float64, f64(-1e300), 1 << 63, false},
		{Uint64, Float64, f64(1.8e19), 18000000000000000000, false},
		{Float32, Int64, 1<<60 + 1<<36 + 1, f32(1<<60 + 1<<37), false}, // a float64 on the way would tie to even
		{BFloat16, Int32, 1<<24 + 1<<16 + 1, 0x4b81, false},            // likewise a float32
		{Float16, Float64, f64(1 + 0x1p-11 + 0x1p-40), 0x3c01, false},
		{Float16, Float32, f32(65519), 0x7bff, false},
		{Float16, Float32, f32(65520), 0x7c00, false},
		{Float16, Float32, f32(65520), 0x7bff, true},
		{Float16, Float32, f32(-1 - 0x1p-10 - 0x1p-11), 0xbc01, true},
		{Float8E4NV, Float32, f32(1e6), 0x7e, false},
		{Float8E5, Float32, f32(1e6), 0x7c, false},
		{Float32, Float64, f64(1 + 0x1.8p-23), f32(1 + 0x1p-23), true},
	}
	for _, x := range tests {
		if got := Convert(x.to, x.from, x.in, x.rtz); got != x.want {
			t.Errorf("Convert(%s, %s, %x) = %x, want %x", x.to, x.from, x.in, got, x.want)
		}
	}
}

func TestBufAligned(t *testing.T) {
	if Fenced() != NoFence {
		t.Skip("buffers end at fences, wherever they begin")
	}
	for n := 16; n < 400; n += 7 {
		b := NewBuf(Float32, n)
		if uintptr(b.Pointer())%Align != 0 || len(View[float32](b)) != n {
			t.Fatalf("NewBuf(%d): %p", n, b.Pointer())
		}
	}
}

func FuzzRound(f *testing.F) {
	f.Add(float32(1), uint8(0))
	f.Fuzz(func(t *testing.T, v float32, which uint8) {
		if which%2 == 0 {
			if got, want := ToFloat16(v), RoundNarrow(Float16, float64(v), false); got != want {
				t.Fatalf("float16(%v) = %04x, want %04x", v, got, want)
			}
			return
		}
		if got, want := ToBFloat16(v), RoundNarrow(BFloat16, float64(v), false); got != want {
			t.Fatalf("bfloat16(%v) = %04x, want %04x", v, got, want)
		}
	})
}
