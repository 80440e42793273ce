package check_test

import (
	"io"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// TestRowsExactly: lanes outside and lanes in a wrong row are counted exactly, for random
// blocks of random matrices, also transposed ones and parts of larger ones, and for rows
// that are looked up.
func TestRowsExactly(t *testing.T) {
	astray := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 2))
		rows, cols := 2+r.IntN(9), 2+r.IntN(9)
		R, C := 2+r.IntN(7), 2+r.IntN(7)
		x := tensor.Zeros(tl.Float32, rows, cols)
		stride := cols
		transposed := seed%3 == 1
		switch seed % 3 {
		case 1:
			x = x.T()
		case 2: // with a gap after each row
			stride = cols + 3
			x = tensor.Zeros(tl.Float32, rows, stride).Slice(1, 0, cols)
		}
		if C == stride {
			C++ // a block of whole rows is a sweep
		}
		row0, col0 := r.IntN(rows), r.IntN(cols)
		most := r.IntN(R * C) // lanes above are masked off
		lookup := seed%2 == 1 && !transposed
		kernel := func(p *tl.Program, x, idx tl.Ptr) {
			i, j := tl.Arange(0, R), tl.Arange(0, C)
			rowOf := i.Add(row0)
			if lookup {
				rowOf = tl.Load(idx.Add(i))
			}
			offs := rowOf.Col().Mul(stride).Add(j.Row().Add(col0))
			mask := i.Col().Mul(C).Add(j.Row()).Le(most)
			if transposed {
				offs, mask = offs.T(), mask.T()
			}
			tl.Load(x.Add(offs), tl.Mask(mask), tl.Other(0))
		}
		outside, wrong := 0, 0
		span := (rows-1)*stride + cols
		for lane := range most + 1 {
			row, col := row0+lane/C, col0+lane%C
			off := row*stride + col
			switch {
			case off >= span || off%stride >= cols:
				outside++
			case col >= cols:
				wrong++
			}
		}
		idx := tensor.Arange(tl.Int32, row0, row0+R)
		rep, _ := exec.New(kernel, exec.Options{Output: io.Discard, Check: exec.CheckOptions{NoVariations: true}}).Check(exec.Grid{1}, x, idx)
		count := func(k check.Kind) (n int) {
			for _, f := range rep.Of(k) {
				n += f.Lanes
			}
			return n
		}
		if count(check.OutOfBounds) != outside || count(check.WrongRow) != wrong {
			t.Fatalf("seed %d: %d×%d at [%d,%d] of %d×%d, stride %d, %d lanes: %d outside and %d in wrong rows, want %d and %d\n%s",
				seed, R, C, row0, col0, rows, cols, stride, most+1, count(check.OutOfBounds), count(check.WrongRow), outside, wrong, rep)
		}
		if wrong > 0 {
			astray++
		}
	}
	if astray < 50 {
		t.Errorf("%d of 400 blocks go astray: the test says little", astray)
	}
}
