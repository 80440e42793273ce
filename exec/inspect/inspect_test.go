package inspect

import (
	"errors"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/codemem"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/ir"
)

const inspectText = `package main

import tl "github.com/tiler-go/tiler/tilelang"

func scale(p *tl.Program, x, out tl.Ptr, n, stride int, by float64, BLOCK tl.Const, AS tl.DType) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	v := tl.Load(x.Add(offs.Mul(stride)), tl.Mask(offs.Lt(n)))
	tl.Store(out.Add(offs), v.Mul(by).To(AS), tl.Mask(offs.Lt(n)))
}

func shaped(p *tl.Program, x tl.Ptr, n int) {
	tl.Store(x.Add(tl.Arange(0, n)), 1.0)
}

func wrong(p *tl.Program, x tl.Ptr) {
	tl.Store(x, tl.Maxx(x))
}
`

func TestInspectFile(t *testing.T) {
	i, err := File("scale.go", inspectText, "scale", "BLOCK=64", "AS=f16", "x=bf16", "stride=1", "by=0.5")
	if err != nil {
		t.Fatal(err)
	}
	if want := "x bf16, out f32, n int, stride=1, by float64, BLOCK=64, AS=f16"; i.Args != want {
		t.Errorf("for %s, want %s", i.Args, want)
	}
	if i.Kernel != "scale" || i.Stages[0].Name != "lower" || i.Stages[len(i.Stages)-1].Name != "dce" {
		t.Errorf("kernel %s, stages %v", i.Kernel, i.Stages)
	}
	for n, s := range i.Stages {
		f, err := ir.Parse(s.Text)
		if err != nil || ir.Verify(f) != nil {
			t.Errorf("stage %s is not IR: %v, %v", s.Name, err, ir.Verify(f))
		}
		if s.Doc == "" || s.Same != (n > 0 && s.Text == i.Stages[n-1].Text) {
			t.Errorf("stage %s: doc %q, same %v", s.Name, s.Doc, s.Same)
		}
	}
	if last := i.Stages[len(i.Stages)-1].Text; !strings.Contains(last, "@7:7") || strings.Contains(last, "= mul v6") {
		t.Errorf("want positions, and the stride of 1 compiled in:\n%s", last)
	}
}

func TestInspectRefuses(t *testing.T) {
	for _, c := range []struct{ kernel, args, want string }{
		{"", "", "scale.go: which kernel? it has scale, shaped, wrong: name one after the file, as in scale.go:scale"},
		{"scal", "", "did you mean scale?"},
		{"scale", "BLOCK", `got the argument "BLOCK", want NAME=VALUE`},
		{"scale", "BLOK=3", "scale has no parameter BLOK (did you mean BLOCK?)"},
		{"scale", "zzz=3", "scale has no parameter zzz; there is x, out, n, stride"},
		{"scale", "BLOCK=big", `scale: BLOCK is a tl.Const: got "big"`},
		{"scale", "x=f33", `scale: x is a tl.Ptr: unknown dtype "f33"`},
		{"scale", "by=x", `scale: by is a float64: got "x"`},
		{"scale", "BLOCK=16", "scale: the value of AS (tl.DType) decides what is compiled"},
		{"shaped", "", "shaped: the value of n (int) decides what is compiled"},
		{"wrong", "", "undefined: tl.Maxx"},
	} {
		_, err := File("scale.go", inspectText, c.kernel, strings.Fields(c.args)...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: error %v, want %q", c.kernel, c.args, err, c.want)
		}
	}
	if _, err := File("none.go", "package none\n", ""); err == nil || !strings.Contains(err.Error(), "no kernel") {
		t.Errorf("a file without kernels: %v", err)
	}
	if _, err := File("bad.go", "package bad\nfunc {", ""); err == nil || !strings.Contains(err.Error(), "bad.go:2") {
		t.Errorf("a file with a syntax error: %v", err)
	}
}

// TestSuggestsIntegers: a kernel that only lacks the names of tensors of integers is told them.
func TestSuggestsIntegers(t *testing.T) {
	const text = `package k

import tl "github.com/tiler-go/tiler/tilelang"

func rows(p *tl.Program, at, x, ids, out tl.Ptr) {
	i := tl.Load(at.Add(p.ID(0))).Int()
	tl.Store(out.Add(i), tl.Load(x.Add(tl.Load(ids.Add(i)))))
}
`
	_, err := File("k.go", text, "")
	if err == nil || !strings.Contains(err.Error(), "fix: name those of integers: at=i32 ids=i32") {
		t.Errorf("error %v", err)
	}
	if _, err = File("k.go", text, "", "at=i32", "ids=i64"); err != nil {
		t.Error(err)
	}
	if _, err = File("k.go", text, "", "at=f16"); err == nil || strings.Contains(err.Error(), "name those of integers") {
		t.Errorf("error %v", err)
	}
}

// TestExamplesOfMissing: what is proposed for missing arguments can be given.
func TestExamplesOfMissing(t *testing.T) {
	for _, c := range []struct{ kernel, want string }{{"scale", "BLOCK=1024 AS=f32"}, {"shaped", "n=16"}} {
		_, err := File("scale.go", inspectText, c.kernel)
		var missing *MissingError
		if !errors.As(err, &missing) || strings.Join(missing.Examples(), " ") != c.want {
			t.Errorf("%s: error %v, want one with the examples %s", c.kernel, err, c.want)
			continue
		}
		if _, err := File("scale.go", inspectText, c.kernel, missing.Examples()...); err != nil {
			t.Errorf("%s: %v", c.kernel, err)
		}
	}
}

const productText = `package main

import tl "github.com/tiler-go/tiler/tilelang"

func product(p *tl.Program, x, y, out tl.Ptr, n int, B tl.Const) {
	rows := tl.Arange(0, B).Add(p.ID(0) * B)
	cols := tl.Arange(0, B).Add(p.ID(1) * B)
	k := tl.Arange(0, B)
	acc := tl.Zeros(tl.Float32, B, B)
	for i := range tl.Cdiv(n, B) {
		in := k.Add(i * B)
		a := tl.Load(x.Add(rows.Mul(n).Col().Add(in.Row())), tl.Mask(in.Row().Lt(n)), tl.Other(0))
		b := tl.Load(y.Add(in.Mul(n).Col().Add(cols.Row())), tl.Mask(in.Col().Lt(n)), tl.Other(0))
		acc = acc.Add(tl.Dot(a, b))
	}
	tl.Store(out.Add(rows.Mul(n).Col().Add(cols.Row())), acc)
}
`

// TestInspectProduct: all parts of a matrix product are there.
func TestInspectProduct(t *testing.T) {
	if !codemem.Supported {
		t.Skip("no machine code here")
	}
	i, err := File("product.go", productText, "", "B=16")
	if err != nil {
		t.Fatal(err)
	}
	text, err := i.Code(cpu.AVX2)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{";; the whole grid as one matrix product", ";; sums of a block of 6 × 16", "vfmadd231ps ymm0", ";; the second operand into panels", ";; what becomes of the sums", ";; the instances one by one"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the listing", want)
		}
	}
}

func TestInspectCode(t *testing.T) {
	if !codemem.Supported {
		t.Skip("no machine code here")
	}
	i, err := File("scale.go", inspectText, "scale", "BLOCK=64", "AS=f32")
	if err != nil {
		t.Fatal(err)
	}
	for tier, reg := range map[cpu.Tier]string{cpu.AVX2: "ymm0", cpu.AVX512: "zmm0"} {
		text, err := i.Code(tier)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{reg, "vmulps", "; scale.go:8  tl.Store(out.Add(offs), v.Mul(by).To(AS), tl.Mask(offs.Lt(n)))\n", " = fits "} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in the listing", tier, want)
			}
		}
	}
	if _, err := i.Code(cpu.Portable); err == nil || !strings.Contains(err.Error(), "no machine code") {
		t.Errorf("portable: %v", err)
	}
}
