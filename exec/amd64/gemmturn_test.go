package amd64

import (
	"os"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// productOf is the kernel of productPairs for elements of another type.
func productOf(tb testing.TB, d dtype.DType, chain dot.Chain) *ir.Func {
	tb.Helper()
	if d == dtype.BFloat16 {
		return productBy(tb, chain)
	}
	text, err := os.ReadFile("testdata/product_pairs.ir")
	if err != nil {
		tb.Fatal(err)
	}
	s := strings.ReplaceAll(string(text), " bf16pairs", "")
	if d == dtype.Float64 {
		s = strings.ReplaceAll(s, "f32", "f64")
	}
	s = strings.ReplaceAll(s, "bf16", d.Short())
	s = strings.ReplaceAll(s, "bf64", d.Short())
	f := ir.MustParse(s)
	if err := ir.Verify(f); err != nil {
		tb.Fatal(err)
	}
	return f
}

// productTyped is a product of elements of type d that lie as l says.
func productTyped(d dtype.DType, m, n, k int, l layout) problem {
	sum := dtype.Float32
	if d == dtype.Float64 {
		sum = d
	}
	args := []ir.Arg{
		tensorOfType(d, (m-1)*l.am+(k-1)*l.ak+1, 1), tensorOfType(d, (k-1)*l.bk+(n-1)*l.bn+1, 2),
		tensorOfType(sum, m*n, 3),
	}
	args = append(args, ints(m, n, k, l.am, l.ak, l.bk, l.bn, 32, 64, 32)...)
	return problem{"product_pairs", args, [3]int{cdiv(m, 32), cdiv(n, 64), 1}}
}
