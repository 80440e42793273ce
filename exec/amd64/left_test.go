package amd64_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/amd64"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// onTiles are the operations that are more than one lane after the other, on a tile x and
// what is made of it.
var onTiles = []string{
	"tl.Sum(x, tl.Axis(1))", "tl.Sum(x, tl.Axis(0))", "tl.Max(x, tl.Axis(1))", "tl.ArgMin(x, tl.Axis(1))", "tl.XorSum(x, tl.Axis(1))",
	"tl.Reduce(x, func(a, b tl.Tile) tl.Tile { return tl.Maximum(a, b) }, tl.Axis(1))",
	"tl.CumSum(x, tl.Axis(1))", "tl.CumSum(x, tl.Axis(0))", "tl.CumProd(x, tl.Axis(1))",
	"tl.Sort(x)", "tl.Histogram(x, 8)", "tl.Flip(x, 1)", "tl.Trans(x)", "tl.Gather(x, i, 1)", "tl.Join(x, x)", "tl.Cat(1, x, x)", "tl.Dot(x, tl.Trans(x))",
	"tl.Div(x, x)", "tl.Load(p.Add(i.Mul(i)))", "tl.AtomicAdd(p.Add(i), x)", "tl.AtomicMax(p.Add(i), x)", "tl.AtomicCAS(p.Add(i), x, x)",
}

// TestLeftToGo: what machine code leaves to Go each time is in testdata/left.txt, with the
// tiers that do and the types. It takes many times as long there: the file is to become
// shorter. UPDATE=1 writes it anew.
func TestLeftToGo(t *testing.T) {
	tiers := map[string][]string{}
	note := func(f *ir.Func) {
		for _, tier := range []cpu.Tier{cpu.AVX2, cpu.AVX512} {
			code, err := amd64.Compile(f, amd64.Options{Tier: tier, Runner: func(*ir.Func) (amd64.Runner, error) { return nil, nil }})
			if err != nil {
				t.Fatalf("%v\n%s", err, f)
			}
			for _, left := range code.LeftToGo() {
				what := left.What
				if !slices.Contains(tiers[what], tier.String()) {
					tiers[what] = append(tiers[what], tier.String())
				}
			}
			code.Free()
		}
	}
	for _, d := range dtype.All() {
		for o := op.None + 1; o < op.NumOps; o++ {
			if f := o.Row().Family; (f == op.Elementwise || o == op.Scale) && kerneltest.HasMeaning(o, d) {
				note(lanesFunc(o, d))
			}
		}
		for _, to := range dtype.All() {
			note(castFunc(to, d))
		}
		for _, text := range onTiles {
			if f := tilesFunc(t, text, d); f != nil {
				note(f)
			}
		}
	}
	types := map[string][]string{}
	for what, in := range tiers {
		name, of, _ := strings.Cut(what, " of ")
		key := fmt.Sprintf("%s (%s):", name, strings.Join(in, ", "))
		types[key] = append(types[key], of)
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(types)) {
		slices.Sort(types[key])
		fmt.Fprintln(&b, key, strings.Join(types[key], ", "))
	}
	got, file := b.String(), "testdata/left.txt"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("what is left to Go has changed: run with UPDATE=1, and see in git diff whether it has become more. It is\n%s", got)
	}
}

// lanesFunc does an elementwise op on tiles, castFunc a conversion.
func lanesFunc(o op.Op, d dtype.DType) *ir.Func {
	b, shape := kerneltest.NewBuilder(), ir.ShapeOf(64)
	var args []*ir.Value
	for i := range o.Row().Arity {
		from := d
		if o == op.Where && i == 0 {
			from = dtype.Bool
		}
		args = append(args, b.Load(b.Ptr(from), shape))
	}
	z := b.Emit(o, ir.Type{D: o.Result(d), Shape: shape}, args...)
	b.Store(b.Ptr(z.Type.D), z)
	return b.Done()
}

func castFunc(to, from dtype.DType) *ir.Func {
	b, shape := kerneltest.NewBuilder(), ir.ShapeOf(64)
	x := b.Load(b.Ptr(from), shape)
	b.Store(b.Ptr(to), b.Emit(op.Cast, x.Type.As(to), x))
	return b.Done()
}

// tilesFunc is a kernel that uses what an expression gives, nil if it has no meaning for the
// type.
func tilesFunc(t *testing.T, text string, d dtype.DType) *ir.Func {
	t.Helper()
	source := fmt.Sprintf("package k\n\nimport tl \"github.com/tiler-go/tiler/tilelang\"\n\nfunc k(pr *tl.Program, p, q tl.Ptr) {\n"+
		"\ti := tl.Arange(0, 16).Col().Mul(16).Add(tl.Arange(0, 16).Row())\n\tx := tl.Load(p.Add(i))\n\ttl.Store(q, tl.Sum(%s.To(tl.Float32).Ravel()))\n}\n", text)
	file, err := gofile.Load("k.go", source)
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := frontend.Compile(file, "k", []frontend.Arg{{DType: d}, {DType: dtype.Float32}})
	if err != nil && d == dtype.Int32 {
		t.Errorf("%s: %v", text, err)
	}
	if err != nil {
		return nil
	}
	if err := pass.Run(f, pass.Options{}); err != nil {
		t.Fatal(err)
	}
	return f
}
