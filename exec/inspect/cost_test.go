package inspect

import (
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
)

const costly = `package main

import tl "github.com/tiler-go/tiler/tilelang"

func costly(p *tl.Program, idx, x, out tl.Ptr, n int, B tl.Const) {
	offs := tl.Arange(0, B).Add(p.ID(0) * B)
	mask := offs.Lt(n)
	rows := tl.Load(idx.Add(offs), tl.Mask(mask), tl.Other(0))
	p.Print("rows", rows)
	tl.Store(out.Add(offs), tl.Exp(tl.Load(x.Add(offs), tl.Mask(mask), tl.Other(0))), tl.Mask(mask))
}
`

// TestCosts: each line that works on tiles is listed with what does its work, and lines that
// become addresses and bounds are not.
func TestCosts(t *testing.T) {
	i, err := File("costly.go", costly, "", "idx=i32", "B=64")
	if err != nil {
		t.Fatal(err)
	}
	costs, err := i.Costs(cpu.AVX2)
	if err != nil {
		t.Fatal(err)
	}
	want := `costly.go
     8  vectors  rows := tl.Load(idx.Add(offs), tl.Mask(mask), tl.Other(0))
!    9  Go       p.Print("rows", rows)
        there is no machine code for prints
    10  vectors  tl.Store(out.Add(offs), tl.Exp(tl.Load(x.Add(offs), tl.Mask(mask), tl.Other(0))), tl.Mask(mask))
`
	if got := CostText(costs); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := i.Costs(cpu.Portable); err == nil {
		t.Error("the portable engine has costs of machine code")
	}
}

const inRuns = `package main

import tl "github.com/tiler-go/tiler/tilelang"

func statistics(p *tl.Program, x, y tl.Ptr, size, n int, R tl.Const) {
	r := tl.Arange(0, R)
	acc := tl.Zeros(tl.Float32, R)
	for s := 0; s < n; s += R {
		i := r.Add(s)
		at := i.FloorDiv(size).Mul(3 * size).Add(i.Mod(size))
		acc = acc.Add(tl.Load(x.Add(at), tl.Mask(i.Lt(n)), tl.Other(0)))
	}
	tl.Store(y, tl.Sum(acc))
}
`

// TestCostsOfRuns: what is copied run by run is not told to be slow by the code for what does not lie so.
func TestCostsOfRuns(t *testing.T) {
	i, err := File("runs.go", inRuns, "", "R=512")
	if err != nil {
		t.Fatal(err)
	}
	for _, tier := range []cpu.Tier{cpu.AVX2, cpu.AVX512} {
		costs, err := i.Costs(tier)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range costs {
			if c.Slow {
				t.Errorf("%v: line %d is done by %s", tier, c.Line, c.By)
			}
		}
	}
}
