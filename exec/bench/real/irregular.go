package real

import (
	tl "github.com/tiler-go/tiler/tilelang"
)

// rowsPicked is an embedding: row i of out is the row of a table that ids[i] names.
func rowsPicked(p *tl.Program, table, ids, out tl.Ptr, n, cols int, R, C tl.Const) {
	r := tl.Arange(0, R).Add(p.ID(0) * R)
	c := tl.Arange(0, C)
	id := tl.Load(ids.Add(r), tl.Mask(r.Lt(n)), tl.Other(0))
	mask := r.Col().Lt(n).And(c.Row().Lt(cols))
	row := tl.Load(table.Add(id.Col().Mul(cols).Add(c.Row())), tl.Mask(mask))
	tl.Store(out.Add(r.Col().Mul(cols).Add(c.Row())), row, tl.Mask(mask))
}

// rowsAdded is an embedding's backward: row i of grad is added to the row that ids[i] names.
func rowsAdded(p *tl.Program, table, ids, grad tl.Ptr, n, cols int, R, C tl.Const) {
	r := tl.Arange(0, R).Add(p.ID(0) * R)
	c := tl.Arange(0, C)
	id := tl.Load(ids.Add(r), tl.Mask(r.Lt(n)), tl.Other(0))
	mask := r.Col().Lt(n).And(c.Row().Lt(cols))
	row := tl.Load(grad.Add(r.Col().Mul(cols).Add(c.Row())), tl.Mask(mask))
	tl.AtomicAdd(table.Add(id.Col().Mul(cols).Add(c.Row())), row, tl.Mask(mask))
}

// rowsCombined is the end of a mixture of experts: each row of x, times its weight, is added to the token it is of.
func rowsCombined(p *tl.Program, x, tokens, weights, out tl.Ptr, n, cols int, R, C tl.Const) {
	r := tl.Arange(0, R).Add(p.ID(0) * R)
	c := tl.Arange(0, C).Add(p.ID(1) * C)
	inside := r.Lt(n)
	to := tl.Load(tokens.Add(r), tl.Mask(inside), tl.Other(-1))
	w := tl.Load(weights.Add(r), tl.Mask(inside), tl.Other(0))
	v := tl.Load(x.Add(r.Col().Mul(cols).Add(c.Row())), tl.Mask(inside.Col().And(c.Row().Lt(cols))))
	tl.AtomicAdd(out.Add(to.Col().Mul(cols).Add(c.Row())), v.Mul(w.Col()), tl.Mask(to.Col().Ge(0).And(c.Row().Lt(cols))))
}

// paged is one step of attention over keys and values that lie in pages, named by a table: one program a head.
func paged(p *tl.Program, q, keys, values, table, out tl.Ptr, n, heads int, scale float64, PAGE, D tl.Const) {
	head := p.ID(0)
	d, t := tl.Arange(0, D), tl.Arange(0, PAGE)
	query := tl.Load(q.Add(d.Add(head * D)))
	most := tl.Full(tl.Float32, -1e30, 1)
	sum := tl.Zeros(tl.Float32, 1)
	acc := tl.Zeros(tl.Float32, D)
	for i := range tl.Cdiv(n, 4*PAGE) {
		at := tl.Arange(0, 4*PAGE).Add(i * 4 * PAGE)
		on := at.Lt(n)
		page := tl.Load(table.Add(at.FloorDiv(PAGE)), tl.Mask(on), tl.Other(0))
		row := page.Mul(PAGE).Add(at.Mod(PAGE)).Mul(heads).Add(head).Mul(D)
		k := tl.Load(keys.Add(row.Col().Add(d.Row())), tl.Mask(on.Col()), tl.Other(0))
		s := tl.Where(on, tl.Sum(k.Mul(query.Row()), tl.Axis(1)).Mul(scale), -1e30)
		top := tl.Maximum(most, tl.Max(s, tl.Axis(0)))
		e := tl.Exp(s.Sub(top))
		keep := tl.Exp(most.Sub(top))
		v := tl.Load(values.Add(row.Col().Add(d.Row())), tl.Mask(on.Col()), tl.Other(0))
		acc = acc.Mul(keep).Add(tl.Sum(v.Mul(e.Col()), tl.Axis(0)))
		sum = sum.Mul(keep).Add(tl.Sum(e, tl.Axis(0)))
		most = top
	}
	_ = t
	tl.Store(out.Add(d.Add(head*D)), acc.Div(sum))
}

// expertRows is the first product of a mixture of experts: rows of x that ids name, times a matrix.
func expertRows(p *tl.Program, x, ids, w, out tl.Ptr, M, N, K int, BM, BN, BK, GATHER tl.Const) {
	rows := tl.Arange(0, BM).Add(p.ID(0) * BM)
	cols := tl.Arange(0, BN).Add(p.ID(1) * BN)
	k := tl.Arange(0, BK)
	from := rows
	if GATHER == 1 {
		from = tl.Load(ids.Add(rows), tl.Mask(rows.Lt(M)), tl.Other(0))
	}
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		at := k.Add(i * BK)
		a := tl.Load(x.Add(from.Col().Mul(K).Add(at.Row())), tl.Mask(rows.Col().Lt(M).And(at.Row().Lt(K))), tl.Other(0))
		b := tl.Load(w.Add(at.Col().Mul(N).Add(cols.Row())), tl.Mask(at.Col().Lt(K).And(cols.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(a, b))
	}
	tl.Store(out.Add(rows.Col().Mul(N).Add(cols.Row())), acc, tl.Mask(rows.Col().Lt(M).And(cols.Row().Lt(N))))
}

// picked is out[i] = x[ids[i]].
func picked(p *tl.Program, x, ids, out tl.Ptr, n int, BLOCK tl.Const) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := tl.Mask(o.Lt(n))
	tl.Store(out.Add(o), tl.Load(x.Add(tl.Load(ids.Add(o), m)), m), m)
}

// scattered is out[ids[i]] = x[i].
func scattered(p *tl.Program, x, ids, out tl.Ptr, n int, BLOCK tl.Const) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := tl.Mask(o.Lt(n))
	tl.Store(out.Add(tl.Load(ids.Add(o), m)), tl.Load(x.Add(o), m), m)
}

// selected moves the positive elements of each block to its front.
func selected(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	v := tl.Load(x.Add(o), tl.Mask(o.Lt(n)), tl.Other(0))
	on := v.Gt(0)
	at := tl.CumSum(on.To(tl.Int32), tl.Axis(0)).Sub(1)
	tl.Store(out.Add(at.Add(p.ID(0)*BLOCK)), v, tl.Mask(on))
}

// sorted sorts rows.
func sorted(p *tl.Program, x, out tl.Ptr, cols int, R, C tl.Const) {
	at := tl.Arange(0, R).Add(p.ID(0) * R).Col().Mul(cols).Add(tl.Arange(0, C).Row())
	tl.Store(out.Add(at), tl.Sort(tl.Load(x.Add(at))))
}

// argsorted gives where the elements of sorted rows came from.
func argsorted(p *tl.Program, x, out tl.Ptr, cols int, R, C tl.Const) {
	at := tl.Arange(0, R).Add(p.ID(0) * R).Col().Mul(cols).Add(tl.Arange(0, C).Row())
	_, from := tl.ArgSort(tl.Load(x.Add(at)))
	tl.Store(out.Add(at), from)
}

// topmost gives the K greatest of rows, and where they are.
func topmost(p *tl.Program, x, out, where tl.Ptr, cols int, R, C, K tl.Const) {
	r := tl.Arange(0, R).Add(p.ID(0) * R).Col()
	v, i := tl.TopK(tl.Load(x.Add(r.Mul(cols).Add(tl.Arange(0, C).Row()))), K)
	to := r.Mul(K).Add(tl.Arange(0, K).Row())
	tl.Store(out.Add(to), v)
	tl.Store(where.Add(to), i)
}

// counted counts how often each id occurs.
func counted(p *tl.Program, ids, counts tl.Ptr, n int, BLOCK tl.Const) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := tl.Mask(o.Lt(n))
	tl.AtomicAdd(counts.Add(tl.Load(ids.Add(o), m)), 1, m)
}

// normBackward is a layer norm's: it gives dx of a row, and adds the row's part of dw and db to one of GROUPS
// sums of rows, each behind a lock.
func normBackward(p *tl.Program, dx, dy, dw, db, x, w, mean, rstd, lock tl.Ptr, cols int, GROUPS, C tl.Const) {
	row := p.ID(0)
	c := tl.Arange(0, C)
	mask := tl.Mask(c.Lt(cols))
	at := c.Add(row * cols)
	v, g, weight := tl.Load(x.Add(at), mask, tl.Other(0)), tl.Load(dy.Add(at), mask, tl.Other(0)), tl.Load(w.Add(c), mask, tl.Other(0))
	m, r := tl.Load(mean.Add(row)), tl.Load(rstd.Add(row))
	hat := v.Sub(m).Mul(r)
	wg := weight.Mul(g)
	hat = tl.Where(c.Lt(cols), hat, 0)
	wg = tl.Where(c.Lt(cols), wg, 0)
	c1 := tl.Sum(hat.Mul(wg), tl.Axis(0)).Div(float64(cols))
	c2 := tl.Sum(wg, tl.Axis(0)).Div(float64(cols))
	tl.Store(dx.Add(at), wg.Sub(hat.Mul(c1).Add(c2)).Mul(r), mask)
	group := row % GROUPS
	gate, count := lock.Add(group), lock.Add(group+GROUPS)
	for tl.AtomicCAS(gate, 0, 1).Int() == 1 {
	}
	seen := tl.Load(count).Int()
	pw, pb := g.Mul(hat), g
	to := c.Add(group * cols)
	if seen == 0 {
		tl.AtomicXchg(count, 1)
	} else {
		pw = pw.Add(tl.Load(dw.Add(to), mask))
		pb = pb.Add(tl.Load(db.Add(to), mask))
	}
	tl.Store(dw.Add(to), pw, mask)
	tl.Store(db.Add(to), pb, mask)
	tl.AtomicXchg(gate, 0)
}
