package tensor

import (
	"bytes"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Each benchmark works on a million elements.
func BenchmarkMillion(b *testing.B) {
	const n = 1 << 10
	f32 := Randn(1, dtype.Float32, n, n)
	f64, f16, bf16 := f32.To(dtype.Float64), f32.To(dtype.Float16), f32.To(dtype.BFloat16)
	i32, i64 := Generate(1, dtype.Int32, n, n), Generate(1, dtype.Int64, n, n)
	out := Zeros(dtype.Float32, n, n)
	gaps := Zeros(dtype.Float32, n, 2*n).Slice(1, 0, n)
	empty := Empty(dtype.Float32, n, n)
	rows := []struct {
		name string
		fn   func()
	}{
		{"Fill", func() { out.Fill(1.5) }},
		{"Fill/gaps", func() { gaps.Fill(1.5) }},
		{"CopyFrom", func() { out.CopyFrom(f32) }},
		{"CopyFrom/gaps", func() { gaps.CopyFrom(f32) }},
		{"CopyFrom/transposed", func() { out.CopyFrom(f32.T()) }},
		{"CopyFrom/expanded", func() { out.CopyFrom(f32.Slice(0, 0, 1)) }},
		{"CopyFrom/undefined", func() { out.CopyFrom(empty) }},
		{"Clone", func() { f32.Clone() }},
		{"To/f32-f16", func() { f32.To(dtype.Float16) }},
		{"To/f32-bf16", func() { f32.To(dtype.BFloat16) }},
		{"To/f32-f64", func() { f32.To(dtype.Float64) }},
		{"To/f32-i32", func() { f32.To(dtype.Int32) }},
		{"To/f32-fp8", func() { f32.To(dtype.Float8E4NV) }},
		{"To/f16-f32", func() { f16.To(dtype.Float32) }},
		{"To/f64-f16", func() { f64.To(dtype.Float16) }},
		{"To/i64-i32", func() { i64.To(dtype.Int32) }},
		{"To/i32-f32", func() { i32.To(dtype.Float32) }},
		{"To/i32-f16", func() { i32.To(dtype.Float16) }},
		{"AllClose/f32", func() { AllClose(f32, f32) }},
		{"AllClose/f16", func() { AllClose(f16, f16) }},
		{"AllClose/bf16", func() { AllClose(bf16, bf16) }},
		{"AllClose/i32", func() { AllClose(i32, i32) }},
		{"AllClose/transposed", func() { AllClose(f32.T(), f32.T()) }},
		{"AllClose/apart", func() { AllClose(f32, out) }},
		{"Equal/f32", func() { Equal(f32, f32) }},
		{"Floats", func() { f32.Floats() }},
		{"Rand/f32", func() { Rand(1, dtype.Float32, n, n) }},
		{"Randn/f32", func() { Randn(1, dtype.Float32, n, n) }},
		{"Randn/f16", func() { Randn(1, dtype.Float16, n, n) }},
		{"RandInt/i32", func() { RandInt(1, dtype.Int32, 0, 2000, n, n) }},
		{"String", func() { _ = f32.String() }},
		{"Npy", func() { benchNpy(b, f32) }},
	}
	for _, r := range rows {
		b.Run(r.name, func(b *testing.B) {
			for b.Loop() {
				r.fn()
			}
		})
	}
}

func benchNpy(b *testing.B, x *Tensor) {
	b.Helper()
	var buf bytes.Buffer
	if err := WriteNpy(&buf, x); err != nil {
		b.Fatal(err)
	}
	if _, err := ReadNpy(&buf); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkOne is single elements and questions.
func BenchmarkOne(b *testing.B) {
	x := Randn(1, dtype.Float32, 64, 1024)
	y := x.SliceStep(1, 0, 1000, 3)
	b.Run("Float", func(b *testing.B) {
		for b.Loop() {
			x.Float(3, 5)
		}
	})
	b.Run("Set", func(b *testing.B) {
		for b.Loop() {
			x.Set(1.5, 3, 5)
		}
	})
	b.Run("Contains", func(b *testing.B) {
		for b.Loop() {
			y.Contains(30 * 1024)
		}
	})
	b.Run("Overlaps", func(b *testing.B) {
		other := x.SliceStep(1, 1, 1000, 3)
		for b.Loop() {
			y.Overlaps(other)
		}
	})
}
