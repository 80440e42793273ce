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
