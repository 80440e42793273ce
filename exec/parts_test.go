package exec_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// carriedRows keeps rows of C elements in a tile that a loop goes through, and stores them to rows of their own.
func carriedRows(p *tl.Program, x, z, least tl.Ptr, rounds, rows int, R, C tl.Const) {
	r, c := tl.Arange(0, R), tl.Arange(0, C)
	at := r.Col().Mul(C).Add(c.Row())
	acc := tl.Zeros(x.Elem(), R, C)
	for i := range rounds {
		a := tl.Load(x.Add(c.Mul(rounds).Add(i)))
		b := tl.Load(x.Add(r.Mul(rounds).Add(i)), tl.Mask(r.Lt(rows)), tl.Other(1))
		acc = acc.Add(b.Col().Sub(a.Row()).Mul(b.Col()))
	}
	tl.Store(z.Add(at), acc, tl.Mask(r.Lt(rows).Col()))
	tl.Store(least.Add(r), tl.ArgMin(acc, tl.Axis(1)))
}

// TestRowsOfParts has rows that are a part of a register, or several and a part, of elements of all widths.
func TestRowsOfParts(t *testing.T) {
	const rounds, rows, R = 3, 29, 32
	for _, d := range []tl.DType{tl.Float32, tl.Float64, tl.Int32, tl.Int64, tl.Uint32, tl.BFloat16, tl.Int8, tl.Uint16} {
		x := tensor.RandInt(1, tl.Int32, 0, 9, rounds*R).To(d)
		for _, C := range []int{1, 2, 3, 4, 6, 8, 10, 12, 16, 18, 20, 24, 32} {
			sameInEngines(t, func(o exec.Options) ([]*tensor.Tensor, error) {
				z, least := tensor.Zeros(d, rows*C), tensor.Zeros(tl.Int32, R)
				return []*tensor.Tensor{z, least}, exec.New(carriedRows, o).Launch(exec.Grid{1}, x, z, least, rounds, rows, R, C)
			}, x)
		}
	}
}
