package real

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// What the kernels of irregular.go are run with, and the Go loops beside them.

// IDs is n whole numbers below limit.
func IDs(n, limit int, seed uint32) []int32 {
	v := make([]int32, n)
	for i := range v {
		v[i] = int32(uint64(Mix(uint32(i), seed)) * uint64(limit) >> 32)
	}
	return v
}

// shuffledIDs is 0 ... n-1 in another order.
func shuffledIDs(n int, seed uint32) []int32 {
	v := make([]int32, n)
	for i := range v {
		v[i] = int32(i)
	}
	slices.SortFunc(v, func(a, b int32) int { return cmp.Compare(Mix(uint32(a), seed), Mix(uint32(b), seed)) })
	return v
}

func irregular(file, name string, fn any, out *tensor.Tensor, at func(i int) float64, grid exec.Grid, args ...any) Program {
	return Program{File: file, Name: name, Fn: fn, Grid: grid, Args: args, Out: out, At: at, Most: 1 << 20}
}

func programRowsPicked(vocabulary, n, cols int) Program {
	table, ids, out := Fine(vocabulary*cols, 1, 1), IDs(n, vocabulary, 2), tensor.Zeros(tl.Float32, n, cols)
	const rows = 4
	return irregular("irregular.go", "rowsPicked", rowsPicked, out,
		func(i int) float64 { return float64(table[int(ids[i/cols])*cols+i%cols]) },
		exec.Grid{tl.Cdiv(n, rows)}, tensor.From(table, vocabulary, cols), tensor.From(ids), out, n, cols, rows, tl.NextPow2(cols))
}

func loopRowsPicked(vocabulary, n, cols int) func() {
	table, ids, out := Fine(vocabulary*cols, 1, 1), IDs(n, vocabulary, 2), make([]float32, n*cols)
	return func() {
		for i, id := range ids {
			from := table[int(id)*cols:][:cols]
			for j, v := range from {
				out[i*cols+j] = v
			}
		}
	}
}

// programRowsAdded begins with a table of zeros, which grows: elements are small whole numbers, and are not compared.
func programRowsAdded(vocabulary, n, cols int) Program {
	grad, ids := Coarse(n*cols, 1), IDs(n, vocabulary, 2)
	table := tensor.Zeros(tl.Float32, vocabulary, cols)
	want := make([]float64, vocabulary*cols)
	for i, id := range ids {
		for j := range cols {
			want[int(id)*cols+j] += float64(grad[i*cols+j])
		}
	}
	const rows = 4
	return irregular("irregular.go", "rowsAdded", rowsAdded, table, func(i int) float64 { return want[i] },
		exec.Grid{tl.Cdiv(n, rows)}, table, tensor.From(ids), tensor.From(grad, n, cols), n, cols, rows, tl.NextPow2(cols))
}

func loopRowsAdded(vocabulary, n, cols int) func() {
	grad, ids, table := Coarse(n*cols, 1), IDs(n, vocabulary, 2), make([]float32, vocabulary*cols)
	return func() {
		for i, id := range ids {
			to := table[int(id)*cols:][:cols]
			for j, v := range grad[i*cols:][:cols] {
				to[j] += v
			}
		}
	}
}

func programRowsCombined(tokens, n, cols int) Program {
	x, w, ids := Coarse(n*cols, 1), Coarse(n, 2), IDs(n, tokens, 3)
	out := tensor.Zeros(tl.Float32, tokens, cols)
	want := make([]float64, tokens*cols)
	for i, id := range ids {
		for j := range cols {
			want[int(id)*cols+j] += float64(x[i*cols+j] * w[i])
		}
	}
	p := irregular("irregular.go", "rowsCombined", rowsCombined, out, func(i int) float64 { return want[i] },
		exec.Grid{tl.Cdiv(n, 4), tl.Cdiv(cols, 512)}, tensor.From(x, n, cols), tensor.From(ids), tensor.From(w), out, n, cols, 4, 512)
	p.Abs = 1e-5
	return p
}

func loopRowsCombined(tokens, n, cols int) func() {
	x, w, ids, out := Coarse(n*cols, 1), Coarse(n, 2), IDs(n, tokens, 3), make([]float32, tokens*cols)
	return func() {
		for i, id := range ids {
			to := out[int(id)*cols:][:cols]
			for j, v := range x[i*cols:][:cols] {
				to[j] += v * w[i]
			}
		}
	}
}

func programPicked(size, n int) Program {
	x, ids, out := Fine(size, 1, 1), IDs(n, size, 2), tensor.Zeros(tl.Float32, n)
	return irregular("irregular.go", "picked", picked, out, func(i int) float64 { return float64(x[ids[i]]) },
		exec.Grid{tl.Cdiv(n, 1024)}, tensor.From(x), tensor.From(ids), out, n, 1024)
}

func loopPicked(size, n int) func() {
	x, ids, out := Fine(size, 1, 1), IDs(n, size, 2), make([]float32, n)
	return func() {
		for i, id := range ids {
			out[i] = x[id]
		}
	}
}

func programScattered(n int) Program {
	x, ids, out := Fine(n, 1, 1), shuffledIDs(n, 2), tensor.Zeros(tl.Float32, n)
	want := make([]float64, n)
	for i, id := range ids {
		want[id] = float64(x[i])
	}
	return irregular("irregular.go", "scattered", scattered, out, func(i int) float64 { return want[i] },
		exec.Grid{tl.Cdiv(n, 1024)}, tensor.From(x), tensor.From(ids), out, n, 1024)
}

func loopScattered(n int) func() {
	x, ids, out := Fine(n, 1, 1), shuffledIDs(n, 2), make([]float32, n)
	return func() {
		for i, id := range ids {
			out[id] = x[i]
		}
	}
}

func programSelected(n int) Program {
	const block = 1024
	x, out := Fine(n, 1, 1), tensor.Zeros(tl.Float32, n)
	want := make([]float64, n)
	for lo := 0; lo < n; lo += block {
		k := lo
		for _, v := range x[lo:min(n, lo+block)] {
			if v > 0 {
				want[k] = float64(v)
				k++
			}
		}
	}
	return irregular("irregular.go", "selected", selected, out, func(i int) float64 { return want[i] },
		exec.Grid{tl.Cdiv(n, block)}, tensor.From(x), out, n, block)
}

func loopSelected(n int) func() {
	const block = 1024
	x, out := Fine(n, 1, 1), make([]float32, n)
	return func() {
		for lo := 0; lo < n; lo += block {
			k := lo
			for _, v := range x[lo:min(n, lo+block)] {
				if v > 0 {
					out[k] = v
					k++
				}
			}
		}
	}
}

func programSorted(n, cols int) Program {
	x, out := Fine(n, 1, 1), tensor.Zeros(tl.Float32, n)
	want := slices.Clone(x)
	for lo := 0; lo < n; lo += cols {
		slices.Sort(want[lo : lo+cols])
	}
	rows := max(1, min(1024, n)/cols)
	return irregular("irregular.go", "sorted", sorted, out, func(i int) float64 { return float64(want[i]) },
		exec.Grid{n / cols / rows}, tensor.From(x), out, cols, rows, cols)
}

func loopSorted(n, cols int) func() {
	x, out := Fine(n, 1, 1), make([]float32, n)
	return func() {
		copy(out, x)
		for lo := 0; lo < n; lo += cols {
			slices.Sort(out[lo : lo+cols])
		}
	}
}

// sortedFrom is where the elements of sorted rows came from.
func sortedFrom(x []float32, cols int, order func(a, b float32) int) []int32 {
	from := make([]int32, len(x))
	for lo := 0; lo < len(x); lo += cols {
		row := from[lo : lo+cols]
		for i := range row {
			row[i] = int32(i)
		}
		slices.SortStableFunc(row, func(a, b int32) int { return order(x[lo+int(a)], x[lo+int(b)]) })
	}
	return from
}

func programArgsorted(n, cols int) Program {
	x, out := Fine(n, 1, 1), tensor.Zeros(tl.Int32, n)
	want := sortedFrom(x, cols, cmp.Compare[float32])
	rows := max(1, min(1024, n)/cols)
	return irregular("irregular.go", "argsorted", argsorted, out, func(i int) float64 { return float64(want[i]) },
		exec.Grid{n / cols / rows}, tensor.From(x), out, cols, rows, cols)
}

func loopArgsorted(n, cols int) func() {
	x := Fine(n, 1, 1)
	return func() { sortedFrom(x, cols, cmp.Compare[float32]) }
}

func programTopmost(n, cols, k int) Program {
	x, rows := Fine(n, 1, 1), max(1, min(1024, n)/cols)
	out, where := tensor.Zeros(tl.Float32, n/cols*k), tensor.Zeros(tl.Int32, n/cols*k)
	from := sortedFrom(x, cols, func(a, b float32) int { return cmp.Compare(b, a) })
	return irregular("irregular.go", "topmost", topmost, where, func(i int) float64 { return float64(from[i/k*cols+i%k]) },
		exec.Grid{n / cols / rows}, tensor.From(x), out, where, cols, rows, cols, k)
}

// loopTopmost keeps the greatest so far in order.
func loopTopmost(n, cols, k int) func() {
	x, out, where := Fine(n, 1, 1), make([]float32, n/cols*k), make([]int32, n/cols*k)
	return func() {
		for r := range n / cols {
			v, at, have := out[r*k:(r+1)*k], where[r*k:(r+1)*k], 0
			for j, e := range x[r*cols : (r+1)*cols] {
				if have == k && !(e > v[k-1]) {
					continue
				}
				if have < k {
					have++
				}
				i := have - 1
				for ; i > 0 && e > v[i-1]; i-- {
					v[i], at[i] = v[i-1], at[i-1]
				}
				v[i], at[i] = e, int32(j)
			}
		}
	}
}

func programCounted(n, bins int) Program {
	ids, counts := IDs(n, bins, 1), tensor.Zeros(tl.Int32, bins)
	want := make([]float64, bins)
	for _, id := range ids {
		want[id]++
	}
	return irregular("irregular.go", "counted", counted, counts, func(i int) float64 { return want[i] },
		exec.Grid{tl.Cdiv(n, 1024)}, tensor.From(ids), counts, n, 1024)
}

func loopCounted(n, bins int) func() {
	ids, counts := IDs(n, bins, 1), make([]int32, bins)
	return func() {
		for _, id := range ids {
			counts[id]++
		}
	}
}

// pages is where positions of a cache lie: its pages in another order.
const pageSize = 16

func programPaged(n, heads, d int) Program {
	pages := tl.Cdiv(n, pageSize)
	q, k, v := Fine(heads*d, 1, 1), Fine(pages*pageSize*heads*d, 2, 1), Fine(pages*pageSize*heads*d, 3, 1)
	table, out := shuffledIDs(pages, 4), tensor.Zeros(tl.Float32, heads, d)
	want := make([]float32, heads*d)
	attendPages(q, k, v, want, table, n, heads, d)
	p := irregular("irregular.go", "paged", paged, out, func(i int) float64 { return float64(want[i]) }, exec.Grid{heads},
		tensor.From(q), tensor.From(k), tensor.From(v), tensor.From(table), out, n, heads, 1/math.Sqrt(float64(d)), pageSize, d)
	p.Rel, p.Abs = 1e-3, 1e-4
	return p
}

func loopPaged(n, heads, d int) func() {
	pages := tl.Cdiv(n, pageSize)
	q, k, v := Fine(heads*d, 1, 1), Fine(pages*pageSize*heads*d, 2, 1), Fine(pages*pageSize*heads*d, 3, 1)
	table, out := shuffledIDs(pages, 4), make([]float32, heads*d)
	return func() { attendPages(q, k, v, out, table, n, heads, d) }
}

// attendPages is attention over a cache in pages, head by head.
func attendPages(q, k, v, out []float32, table []int32, n, heads, d int) {
	scores, scale := make([]float32, n), float32(1/math.Sqrt(float64(d)))
	for h := range heads {
		query, sum, top := q[h*d:(h+1)*d], float32(0), float32(math.Inf(-1))
		at := func(i int) int { return ((int(table[i/pageSize])*pageSize+i%pageSize)*heads + h) * d }
		for i := range scores {
			s := float32(0)
			for j, e := range k[at(i):][:d] {
				s += query[j] * e
			}
			scores[i] = s * scale
			top = max(top, scores[i])
		}
		acc := out[h*d : (h+1)*d]
		clear(acc)
		for i, s := range scores {
			e := float32(math.Exp(float64(s - top)))
			sum += e
			for j, w := range v[at(i):][:d] {
				acc[j] += e * w
			}
		}
		for j := range acc {
			acc[j] /= sum
		}
	}
}

func programExpertRows(m, n, k int, gather int) Program {
	x, ids, w, out := Fine(m*k, 1, 1), IDs(m, m, 2), Fine(k*n, 3, 1), tensor.Zeros(tl.Float32, m, n)
	if gather == 0 {
		for i := range ids {
			ids[i] = int32(i)
		}
	}
	at := func(i int) float64 {
		row, sum := x[int(ids[i/n])*k:][:k], 0.0
		for l, v := range row {
			sum += float64(float64(v) * float64(w[l*n+i%n]))
		}
		return sum
	}
	p := irregular("irregular.go", "expertRows", expertRows, out, at, exec.Grid{tl.Cdiv(m, 64), tl.Cdiv(n, 64)},
		tensor.From(x, m, k), tensor.From(ids), tensor.From(w, k, n), out, m, n, k, 64, 64, 32, gather)
	p.Rel, p.Abs, p.Most = 1e-5, 1e-4, 400
	return p
}

func programNormBackward(rows, cols int) Program {
	x, dy, w := Fine(rows*cols, 1, 1), Fine(rows*cols, 2, 1), Fine(cols, 3, 1)
	mean, rstd := make([]float32, rows), make([]float32, rows)
	for i := range rows {
		s, q := 0.0, 0.0
		for _, v := range x[i*cols:][:cols] {
			s += float64(v)
			q += float64(v) * float64(v)
		}
		m := s / float64(cols)
		mean[i], rstd[i] = float32(m), float32(1/math.Sqrt(q/float64(cols)-m*m+1e-5))
	}
	const groups = 64
	dx, dw, db := tensor.Zeros(tl.Float32, rows, cols), tensor.Zeros(tl.Float32, groups, cols), tensor.Zeros(tl.Float32, groups, cols)
	want := make([]float32, rows*cols)
	normBack(want, make([]float32, cols), make([]float32, cols), dy, x, w, mean, rstd, cols)
	p := irregular("irregular.go", "normBackward", normBackward, dx, func(i int) float64 { return float64(want[i]) }, exec.Grid{rows},
		dx, tensor.From(dy, rows, cols), dw, db, tensor.From(x, rows, cols), tensor.From(w), tensor.From(mean), tensor.From(rstd), tensor.Zeros(tl.Int32, 2*groups), cols, groups, tl.NextPow2(cols))
	p.Rel, p.Abs = 1e-4, 1e-4
	return p
}

func normBack(dx, dw, db, dy, x, w, mean, rstd []float32, cols int) {
	for i := range mean {
		m, r := mean[i], rstd[i]
		v, g, to := x[i*cols:][:cols], dy[i*cols:][:cols], dx[i*cols:][:cols]
		c1, c2 := float32(0), float32(0)
		for j, e := range v {
			hat := (e - m) * r
			c1 += hat * w[j] * g[j]
			c2 += w[j] * g[j]
		}
		c1, c2 = c1/float32(cols), c2/float32(cols)
		for j, e := range v {
			hat := (e - m) * r
			to[j] = (w[j]*g[j] - (hat*c1 + c2)) * r
			dw[j] += g[j] * hat
			db[j] += g[j]
		}
	}
}

func loopNormBackward(rows, cols int) func() {
	p := programNormBackward(rows, cols)
	x, dy, w := Fine(rows*cols, 1, 1), Fine(rows*cols, 2, 1), Fine(cols, 3, 1)
	f := func(i int) []float32 { return toFloats(p.Args[i].(*tensor.Tensor)) }
	mean, rstd, dx, dw, db := f(6), f(7), make([]float32, rows*cols), make([]float32, cols), make([]float32, cols)
	return func() { normBack(dx, dw, db, dy, x, w, mean, rstd, cols) }
}

func toFloats(t *tensor.Tensor) []float32 {
	v := make([]float32, t.Len())
	for i := range v {
		v[i] = math.Float32frombits(uint32(t.Buf().Bits(i)))
	}
	return v
}

// irregulars are rows through indices, elements through indices, order and sums in memory.
func irregulars() []Row { return slices.Concat(throughRows(), throughElements(), orders(), atomics()) }

func irregularRow(name, label, unit string, work int, program func() Program, rivals ...Rival) Row {
	return Row{Name: name, Label: label, Quick: true, Unit: unit, Work: float64(work), Program: program, Rivals: rivals}
}

func goLoop(least float64, f func() func()) Rival { return Rival{Key: "go", Least: least, Loop: f} }

func torch(least float64, op string, args ...any) Rival {
	return Rival{Key: "torch", Least: least, Peer: "torch", Op: fmt.Sprintf(op, args...)}
}

func throughRows() (rows []Row) {
	const vocabulary, n = 8192, 4096
	for _, cols := range []int{256, 1024} {
		r := irregularRow("rows", fmt.Sprintf("embedding %dx%d", n, cols), "GB/s", 8*n*cols, func() Program { return programRowsPicked(vocabulary, n, cols) },
			goLoop(2, func() func() { return loopRowsPicked(vocabulary, n, cols) }), torch(0, "embedding vocabulary=%d n=%d cols=%d", vocabulary, n, cols))
		r.Pass, r.PassN, r.OfPass = "copy", n*cols, 0.8
		rows = append(rows, r)
	}
	const long, heads, d = 4096, 8, 128
	return append(rows,
		irregularRow("rows", fmt.Sprintf("paged decode, %d long, %d heads of %d", long, heads, d), "GB/s", 8*long*heads*d,
			func() Program { return programPaged(long, heads, d) }, goLoop(2, func() func() { return loopPaged(long, heads, d) })),
		irregularRow("rows", "product of gathered rows 512x512x512", "GF/s", 2*512*512*512, func() Program { return programExpertRows(512, 512, 512, 1) },
			Rival{Key: "tiler-plain", Least: 0.85, Program: func() Program { return programExpertRows(512, 512, 512, 0) }}))
}

const many = 1 << 18 // elements

func throughElements() []Row {
	return []Row{
		irregularRow("elements", "gather", "Gelem/s", many, func() Program { return programPicked(many, many) },
			goLoop(1.5, func() func() { return loopPicked(many, many) }), torch(0, "take size=%d n=%d", many, many)),
		irregularRow("elements", "scatter", "Gelem/s", many, func() Program { return programScattered(many) },
			goLoop(1.5, func() func() { return loopScattered(many) })),
		irregularRow("elements", "masked select", "Gelem/s", many, func() Program { return programSelected(many) },
			goLoop(1.5, func() func() { return loopSelected(many) })),
	}
}

func orders() (rows []Row) {
	for _, c := range []int{64, 1024, 4096} {
		label := fmt.Sprintf("rows of %d", c)
		rows = append(rows,
			irregularRow("sort", label, "Gelem/s", many, func() Program { return programSorted(many, c) },
				goLoop(1, func() func() { return loopSorted(many, c) }), torch(0, "sort rows=%d cols=%d", many/c, c)),
			irregularRow("argsort", label, "Gelem/s", many, func() Program { return programArgsorted(many, c) },
				goLoop(1, func() func() { return loopArgsorted(many, c) }), torch(0, "argsort rows=%d cols=%d", many/c, c)))
	}
	for _, k := range []struct{ of, k int }{{64, 4}, {1024, 8}, {4096, 8}} {
		rows = append(rows, irregularRow("topk", fmt.Sprintf("%d of %d", k.k, k.of), "Gelem/s", many, func() Program { return programTopmost(many, k.of, k.k) },
			goLoop(1, func() func() { return loopTopmost(many, k.of, k.k) }), torch(1, "topk rows=%d cols=%d k=%d", many/k.of, k.of, k.k)))
	}
	return rows
}

func atomics() []Row {
	const vocabulary, n, cols = 8192, 4096, 256
	return []Row{
		irregularRow("atomics", "embedding backward 4096x256", "GB/s", 12*n*cols, func() Program { return programRowsAdded(vocabulary, n, cols) },
			goLoop(1, func() func() { return loopRowsAdded(vocabulary, n, cols) })),
		irregularRow("atomics", "experts' rows combined 4096x512", "GB/s", 12*n*512, func() Program { return programRowsCombined(2048, n, 512) },
			goLoop(1, func() func() { return loopRowsCombined(2048, n, 512) })),
		irregularRow("atomics", "histogram of 256", "Gelem/s", many, func() Program { return programCounted(many, 256) },
			goLoop(1, func() func() { return loopCounted(many, 256) }), torch(0, "bincount n=%d bins=256", many)),
		irregularRow("atomics", "layer norm backward 1024x1024", "GB/s", 12*1024*1024, func() Program { return programNormBackward(1024, 1024) },
			goLoop(1, func() func() { return loopNormBackward(1024, 1024) })),
	}
}
