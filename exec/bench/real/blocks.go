package real

import (
	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// blocked is a product of float32 matrices, a block of the result per program. By FORM rows and columns beyond the ends
// are masked, or they are others again, in one of the spellings of this.
func blocked(p *tl.Program, a, b, c tl.Ptr, M, N, K int, BM, BN, BK, FORM tl.Const) {
	blocks := tl.Cdiv(M, BM)
	rows := tl.Arange(0, BM).Add(p.ID(0) % blocks * BM)
	cols := tl.Arange(0, BN).Add(p.ID(0) / blocks * BN)
	k := tl.Arange(0, BK)
	rowMask, colMask := rows.Lt(M), cols.Lt(N)
	rowsIn, colsIn := rows, cols
	if FORM == 1 {
		rowsIn, colsIn = tl.Where(rowMask, rows, 0), tl.Where(colMask, cols, 0)
	}
	if FORM == 2 {
		rowsIn, colsIn = tl.Minimum(rows, M-1), tl.Minimum(cols, N-1)
	}
	if FORM == 3 {
		rowsIn, colsIn = rows.Mod(M), cols.Mod(N)
	}
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		at := k.Add(i * BK)
		inRow, inCol := at.Row().Lt(K), at.Col().Lt(K)
		if FORM == 0 {
			inRow, inCol = inRow.And(rowMask.Col()), inCol.And(colMask.Row())
		}
		x := tl.Load(a.Add(rowsIn.Col().Mul(K).Add(at.Row())), tl.Mask(inRow), tl.Other(0))
		y := tl.Load(b.Add(at.Col().Mul(N).Add(colsIn.Row())), tl.Mask(inCol), tl.Other(0))
		acc = acc.Add(tl.Dot(x, y))
	}
	tl.Store(c.Add(rows.Col().Mul(N).Add(cols.Row())), acc, tl.Mask(rowMask.Col().And(colMask.Row())))
}

// persistent is the same product by fewer programs than there are blocks: each goes through several, in columns of
// blocks, or in groups of GROUP rows of blocks.
func persistent(p *tl.Program, a, b, c tl.Ptr, M, N, K int, BM, BN, BK, GROUP tl.Const) {
	down, across := tl.Cdiv(M, BM), tl.Cdiv(N, BN)
	for tile := p.ID(0); tile < down*across; tile += p.Num(0) {
		i, j := tile%down, tile/down
		if GROUP > 0 {
			first := tile / (GROUP * across) * GROUP
			size := min(down-first, GROUP)
			i, j = first+tile%(GROUP*across)%size, tile%(GROUP*across)/size
		}
		rows := tl.Arange(0, BM).Add(i * BM)
		cols := tl.Arange(0, BN).Add(j * BN)
		k := tl.Arange(0, BK)
		acc := tl.Zeros(tl.Float32, BM, BN)
		for i := range tl.Cdiv(K, BK) {
			at := k.Add(i * BK)
			inA, inB := rows.Col().Lt(M).And(at.Row().Lt(K)), at.Col().Lt(K).And(cols.Row().Lt(N))
			x := tl.Load(a.Add(rows.Col().Mul(K).Add(at.Row())), tl.Mask(inA), tl.Other(0))
			y := tl.Load(b.Add(at.Col().Mul(N).Add(cols.Row())), tl.Mask(inB), tl.Other(0))
			acc = acc.Add(tl.Dot(x, y))
		}
		tl.Store(c.Add(rows.Col().Mul(N).Add(cols.Row())), acc, tl.Mask(rows.Col().Lt(M).And(cols.Row().Lt(N))))
	}
}

// described is persistent by descriptors.
func described(p *tl.Program, a, b, c tl.Ptr, M, N, K int, BM, BN, BK tl.Const) {
	x := tl.MakeDesc(a, []int{M, K}, []int{K, 1}, []int{BM, BK})
	y := tl.MakeDesc(b, []int{K, N}, []int{N, 1}, []int{BK, BN})
	z := tl.MakeDesc(c, []int{M, N}, []int{N, 1}, []int{BM, BN})
	down := tl.Cdiv(M, BM)
	for tile := p.ID(0); tile < down*tl.Cdiv(N, BN); tile += p.Num(0) {
		row, col := tile%down*BM, tile/down*BN
		acc := tl.Zeros(tl.Float32, BM, BN)
		for i := range tl.Cdiv(K, BK) {
			acc = acc.Add(tl.Dot(x.Load(row, i*BK), y.Load(i*BK, col)))
		}
		z.Store(acc, row, col)
	}
}

// Forms of blocked.
const (
	maskedForm = iota
	whereForm
	minimumForm
	modForm
	numForms
)

func programBlocked(m, n, k, form int) Program {
	p, blocks := productOf("blocked", m, n, k)
	p.Fn, p.Grid = blocked, exec.Grid{blocks}
	p.Args = append(p.Args, form)
	return p
}

func programPersistent(m, n, k, programs, group int) Program {
	p, _ := productOf("persistent", m, n, k)
	p.Fn, p.Grid = persistent, exec.Grid{programs}
	p.Args = append(p.Args, group)
	return p
}

func programDescribed(m, n, k, programs int) Program {
	p, _ := productOf("described", m, n, k)
	p.Fn, p.Grid = described, exec.Grid{programs}
	return p
}

// productOf is all of a product but what is run, and how many blocks it has.
func productOf(name string, m, n, k int) (Program, int) {
	const bm, bn, bk = 64, 64, 32
	x, y := Fine(m*k, 1, 1), Fine(k*n, 2, 1)
	out := tensor.Zeros(tl.Float32, m, n)
	return Program{
		File: "blocks.go", Name: name,
		Args: []any{tensor.From(x, m, k), tensor.From(y, k, n), out, m, n, k, bm, bn, bk},
		Out:  out, At: Dots(x, y, n, k), Most: 400, Rel: 1e-5, Abs: 1e-4,
	}, tl.Cdiv(m, bm) * tl.Cdiv(n, bn)
}

// smallForms are the programs of forms, of small sizes.
func smallForms() (all []Program) {
	for form := range numForms {
		all = append(all, programBlocked(70, 64, 33, form))
	}
	for group := range 3 {
		all = append(all, programPersistent(70, 130, 33, 4, group))
	}
	return append(all, programDescribed(70, 130, 33, 4))
}

// forms are ways to write the same product, beside the plainest.
func forms() (rows []Row) {
	const n = 1000
	masked := func() Program { return programBlocked(n, n, n, maskedForm) }
	for _, f := range []struct {
		label   string
		quick   bool
		least   float64
		program func() Program
	}{
		{"rows by Where", true, 0.95, func() Program { return programBlocked(n, n, n, whereForm) }},
		{"rows by Minimum", false, 0.95, func() Program { return programBlocked(n, n, n, minimumForm) }},
		{"rows by Mod", false, 0.95, func() Program { return programBlocked(n, n, n, modForm) }},
		{"persistent", true, 0.85, func() Program { return programPersistent(n, n, n, 4, 0) }},
		{"persistent, grouped", false, 0.85, func() Program { return programPersistent(n, n, n, 4, 8) }},
		{"persistent, descriptors", true, 0.85, func() Program { return programDescribed(n, n, n, 4) }},
	} {
		rows = append(rows, Row{
			Name: "product", Label: "1000x1000x1000, " + f.label, Quick: f.quick, Unit: "GF/s", Work: 2 * n * n * n,
			Program: f.program, Rivals: []Rival{{Key: "tiler-masked", Least: f.least, Program: masked}},
		})
	}
	return rows
}
