package tensor

import (
	"hash/fnv"
	"math"
	"slices"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// hashBits is the same on machines of either byte order.
func hashBits(x *Tensor) uint32 {
	h := fnv.New32a()
	for i := range x.n {
		b := x.st.buf.Bits(i)
		h.Write([]byte{byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24), byte(b >> 32), byte(b >> 40), byte(b >> 48), byte(b >> 56)})
	}
	return h.Sum32()
}

// TestRandomIsFixed is that seeds keep their data, on every machine and in every
// release: these numbers never change.
func TestRandomIsFixed(t *testing.T) {
	want := map[dtype.DType]uint32{
		dtype.Bool:       0x64cc8de4,
		dtype.Int8:       0x22e25e95,
		dtype.Int16:      0xe304917a,
		dtype.Int32:      0xe304917a,
		dtype.Int64:      0xe304917a,
		dtype.Uint8:      0xf9b8de01,
		dtype.Uint16:     0xe304917a,
		dtype.Uint32:     0xe304917a,
		dtype.Uint64:     0xe304917a,
		dtype.Float8E5:   0x610e181b,
		dtype.Float8E4NV: 0x3f277b69,
		dtype.Float16:    0x44609ae7,
		dtype.BFloat16:   0x698bf21d,
		dtype.Float32:    0xbed92daa,
		dtype.Float64:    0x77a0d174,
	}
	for d, h := range want {
		if got := hashBits(Generate(42, d, 1000)); got != h {
			t.Errorf("Generate(42, %s, 1000) has hash %#x, want %#x", d, got, h)
		}
	}
	tests := []struct {
		name string
		x    *Tensor
		want uint32
	}{
		{"Rand float8e5", Rand(42, dtype.Float8E5, 1000), 0x660b653c},
		{"Rand float8e4nv", Rand(42, dtype.Float8E4NV, 1000), 0x0c2e69d2},
		{"Rand float16", Rand(42, dtype.Float16, 1000), 0xf9b49ad5},
		{"Rand bfloat16", Rand(42, dtype.BFloat16, 1000), 0x49a6d9b2},
		{"Rand float32", Rand(42, dtype.Float32, 1000), 0x9dce483f},
		{"Rand float64", Rand(42, dtype.Float64, 1000), 0xe0641b3f},
		{"Randn, many", Randn(-7, dtype.Float64, 100_000), 0x8bfc8c99},
		{"RandInt", RandInt(7, dtype.Int64, -1000, 1000, 1000), 0x826d5244},
	}
	for _, c := range tests {
		if got := hashBits(c.x); got != c.want {
			t.Errorf("%s has hash %#x, want %#x", c.name, got, c.want)
		}
	}
}

func TestRandomByPosition(t *testing.T) {
	small, large := Randn(5, dtype.Float32, 10), Randn(5, dtype.Float32, 4, 300)
	if !Equal(small, large.Flatten().Slice(0, 0, 10)) {
		t.Error("a larger tensor starts with other elements")
	}
	if Equal(Randn(5, dtype.Float32, 10), Randn(6, dtype.Float32, 10)) || Equal(Rand(-1, dtype.Float32, 10), Rand(0, dtype.Float32, 10)) {
		t.Error("two seeds give the same")
	}
	if Randn(1, dtype.Float32).Rank() != 0 || Generate(1, dtype.Int8, 0, 3).Len() != 0 {
		t.Error("shapes")
	}
}

// TestDistributions checks mean, variance and a histogram against what they should
// be, five standard deviations wide.
func TestDistributions(t *testing.T) {
	const n = 200_000
	for d, digits := range map[dtype.DType]int{dtype.Float64: 53, dtype.Float32: 24, dtype.Float16: 11, dtype.BFloat16: 8} {
		u := Rand(11, d, n).Floats()
		if slices.Min(u) < 0 || slices.Max(u) >= 1 {
			t.Errorf("Rand %s: from %v to %v", d, slices.Min(u), slices.Max(u))
		}
		checkMoments(t, "Rand "+d.String(), u, 0.5-0.5/float64(uint64(1)<<digits), 1.0/12)
		var bins [16]int
		for _, v := range u {
			bins[int(v*16)]++
		}
		checkBins(t, "Rand "+d.String(), bins[:], n)
		z := Randn(12, d, n).Floats()
		checkMoments(t, "Randn "+d.String(), z, 0, 1)
		if d.IsNarrow() {
			continue
		}
		bins = [16]int{}
		for _, v := range z {
			bins[int(8*math.Erfc(v/math.Sqrt2))]++
		}
		checkBins(t, "Randn "+d.String(), bins[:], n)
	}
	bins := make([]int, 7)
	for _, v := range RandInt(13, dtype.Int8, -3, 4, n).Ints() {
		bins[v+3]++
	}
	checkBins(t, "RandInt", bins, n)
	for _, d := range []dtype.DType{dtype.Float8E5, dtype.Float8E4NV} {
		if u := Rand(14, d, 10_000).Floats(); slices.Max(u) >= 1 || slices.Min(u) != 0 {
			t.Errorf("Rand %s: to %v", d, slices.Max(u))
		}
	}
	wide := RandInt(15, dtype.Int64, math.MinInt64, math.MaxInt64, 1000).Ints()
	if slices.Min(wide) > math.MinInt64/2 || slices.Max(wide) < math.MaxInt64/2 {
		t.Error("RandInt over the whole range")
	}
}

func checkMoments(t *testing.T, name string, v []float64, mean, variance float64) {
	t.Helper()
	sum, squares := 0.0, 0.0
	for _, x := range v {
		sum += x
		squares += (x - mean) * (x - mean)
	}
	n := float64(len(v))
	if got := sum / n; math.Abs(got-mean) > 5*math.Sqrt(variance/n)+1e-4 {
		t.Errorf("%s: mean %v, want %v", name, got, mean)
	}
	if got := squares / n; math.Abs(got/variance-1) > 5*math.Sqrt(2/n)+2e-3 {
		t.Errorf("%s: variance %v, want %v", name, got, variance)
	}
}

func checkBins(t *testing.T, name string, bins []int, n int) {
	t.Helper()
	want := float64(n) / float64(len(bins))
	for i, c := range bins {
		if math.Abs(float64(c)-want) > 5*math.Sqrt(want) {
			t.Errorf("%s: bin %d has %d, want about %v", name, i, c, want)
		}
	}
}

func TestGenerateRanges(t *testing.T) {
	for _, d := range dtype.All() {
		x := Generate(42, d, 20_000)
		if d.IsFloat() {
			if !Equal(x, Randn(42, d, 20_000)) {
				t.Errorf("%s is not Randn", d)
			}
			continue
		}
		v := x.Ints()
		hi := ranges[d]
		if lo := slices.Min(v); lo != 0 {
			t.Errorf("%s: from %d", d, lo)
		}
		if got := slices.Max(v); got >= hi || got < hi-1-hi/500 {
			t.Errorf("%s: to %d, want below %d", d, got, hi)
		}
	}
}
