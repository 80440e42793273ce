package amd64

import (
	"bytes"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/gemm"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// ended is a product of testdata, of float32, with another ending.
func ended(t *testing.T, name string, e product.Ending) *ir.Func {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name + ".ir")
	if err != nil {
		t.Fatal(err)
	}
	before, after, _ := strings.Cut(strings.Replace(string(b), "v3 *f32", "v3 *"+e.As.String(), 1), "broadcast v3 ")
	before, last := before[:strings.LastIndex(before, "\n")], before[strings.LastIndex(before, "\n"):]
	text := before + strings.ReplaceAll(last+"broadcast v3 "+after, "*f32[", "*"+e.As.String()+"[")
	shape := regexp.MustCompile(`f32(\[\S+\]) = result`).FindStringSubmatch(text)[1]
	text = regexp.MustCompile(`store (v\d+) (v\d+)`).ReplaceAllString(text, "v998 "+e.Round.String()+shape+" = cast $2 @1:1\n  store $1 v998")
	if e.As != e.Round {
		text = strings.Replace(text, "  store", "  v999 "+e.As.String()+shape+" = cast v998 @1:1\n  store", 1)
		text = regexp.MustCompile(`store (v\d+) v998`).ReplaceAllString(text, "store $1 v999")
	}
	f := ir.MustParse(text)
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	return f
}

// TestEnds has products whose results the kernel makes of sums.
func TestEnds(t *testing.T) {
	defer func(f func() int) { gemm.MostUnsliced = f }(gemm.MostUnsliced)
	across := product004(141, 340, 600, 1) // a's rows lie side by side
	copy(across.args[6:], ints(1, 141))
	f32, f16, bf16 := dtype.Float32, dtype.Float16, dtype.BFloat16
	for i, c := range []problem{
		product003("product", f32, 16, 16, 32), product003("product", f32, 48, 80, 90), product003("product", f32, 160, 304, 600),
		product003("product", f32, 80, 1008, 1100), product003("product", f32, 288, 352, 512),
		product004(3, 100, 200, 1), product004(83, 401, 1030, 1), product004(128, 256, 64, 1), product004(140, 340, 600, 3), across,
		productPairs(70, 75, 90, layout{90, 1, 75, 1}, 1), productPairs(70, 75, 1030, layout{1, 70, 1, 1030}, 1),
	} {
		x := c.args[0].Mem
		for i, v := range []float64{math.NaN(), math.Inf(1), 1e5, -1e5, 1e-6, 3e38, math.Copysign(0, -1)} {
			x.SetBits(i*x.Len()/7, dtype.FromFloat(x.DType(), v))
		}
		for j, e := range []product.Ending{
			{Round: f16, As: f16}, {Round: bf16, As: bf16}, {Round: f16, As: f32}, {Round: bf16, As: f32},
		} {
			if !everySecond(i + j) {
				continue
			}
			c.args[2].Mem = dtype.NewBuf(e.As, c.args[2].Mem.Len())
			f := ended(t, c.kernel, e)
			checkEnds(t, c, f)
			if x.DType() == bf16 {
				checkEnds(t, c, chained(f, dot.Pairs))
			}
		}
	}
}

// checkEnds compares whole products, their chains cut into slices or not, with instances one by
// one.
func checkEnds(t *testing.T, c problem, f *ir.Func) {
	t.Helper()
	for _, tier := range runnable(t) {
		code, err := Compile(f, Options{Tier: tier, pairs: gemm.PairsSteps})
		if err != nil {
			t.Fatal(err)
		}
		want := c.run(t, code, 1, true)
		for _, most := range []int{1 << 20, 0} {
			gemm.MostUnsliced = func() int { return most }
			code.product.Forget()
			if r := code.product.Plan(c.args, c.grid, 1); r == nil || !r.Finishes() {
				t.Fatalf("%s: the kernel does not make results", c)
			}
			for _, workers := range []int{1, 3} {
				if got := c.run(t, code, workers, false); !bytes.Equal(got, want) {
					t.Errorf("%s, to %v, %v, %d workers, unsliced to %d: byte %d differs", c, c.out().DType(), tier, workers, most, firstDifference(got, want))
				}
			}
		}
	}
}

// TestEndsOfFloat64 has steps of zeros that are not carried out, in products of float64.
func TestEndsOfFloat64(t *testing.T) {
	text, err := os.ReadFile("testdata/product.ir")
	if err != nil {
		t.Fatal(err)
	}
	c := product003("product", dtype.Float64, 48, 80, 90)
	c.args[2] = tensorOfType(dtype.Float64, 48*80, 3)
	for _, x := range []float64{-1e-200, 0.5} { // sums are -0, or numbers
		c.args[0].Mem.Fill(dtype.FromFloat(dtype.Float64, x))
		c.args[1].Mem.Fill(dtype.FromFloat(dtype.Float64, 1e-200))
		checkEnds(t, c, ir.MustParse(strings.ReplaceAll(string(text), "f32", "f64")))
	}
}
