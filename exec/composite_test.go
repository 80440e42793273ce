package exec_test

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// running is the greatest element so far and the sum of exponentials below it, lane by lane.
type running struct {
	most, sum tl.Tile
	rounds    int
}

// onto is a struct that goes into a function and comes out of it.
func onto(s running, v tl.Tile) running {
	most := tl.Maximum(s.most, v)
	s.sum = s.sum.Mul(tl.Exp(s.most.Sub(most))).Add(tl.Exp(v.Sub(most)))
	s.most = most
	s.rounds++
	return s
}

func structRows(p *tl.Program, x, y tl.Ptr, n int, B tl.Const) {
	s := running{most: tl.Full(tl.Float32, -1e30, B), sum: tl.Zeros(tl.Float32, B)}
	for i := 0; i < n; i += B {
		at := tl.Arange(0, B).Add(i)
		s = onto(s, tl.Load(x.Add(at.Add(p.ID(0)*n)), tl.Mask(at.Lt(n)), tl.Other(-1e30)))
	}
	tl.Store(y.Add(p.ID(0)), tl.Sum(s.sum).Add(s.rounds))
}

// arrayRows keeps four accumulators, and swaps two of them in every round.
func arrayRows(p *tl.Program, x, y tl.Ptr, n int, B tl.Const) {
	var acc [4]tl.Tile
	for j := range acc {
		acc[j] = tl.Full(tl.Float32, float64(j), B)
	}
	at := tl.Arange(0, B).Add(p.ID(0) * n)
	for i := 0; i < n; i += 4 * B {
		for j := range 4 {
			in := at.Add(i + j*B)
			acc[j] = acc[j].Mul(0.5).Add(tl.Load(x.Add(in), tl.Mask(in.Lt((p.ID(0)+1)*n)), tl.Other(0)))
		}
		acc[0], acc[3] = acc[3], acc[0]
	}
	all := acc[0]
	for _, a := range acc {
		all = all.Add(a)
	}
	tl.Store(y.Add(p.ID(0)), tl.Sum(all))
}

// tables are known while compiling: coefficients, shapes, nested parts, an index that is assigned beside an element.
func tables(p *tl.Program, x, y tl.Ptr, n int, B tl.Const) {
	type term struct {
		c   float64
		and [2]int
	}
	terms := [...]term{{1, [2]int{1, 2}}, {c: 0.5}, 3: {c: -0.25, and: [2]int{1: 7}}}
	own := []float64{2, 3: 4}
	i, k := 0, 1
	i, own[i] = 2, 5
	own[k]++
	terms[i].and[k-1] += 3
	at := tl.Arange(0, B).Add(p.ID(0) * n)
	v := tl.Load(x.Add(at), tl.Mask(at.Lt((p.ID(0)+1)*n)), tl.Other(0))
	r := v.Mul(0)
	for j, t := range terms {
		t.c += own[j]
		r = r.Mul(v).Add(t.c).Add(t.and[0] - t.and[1])
	}
	before := terms
	terms[0].c = 100
	if n%2 == 0 {
		terms[1].c = float64(p.ID(0))
	}
	tl.Store(y.Add(p.ID(0)), tl.Sum(r).Add(before[0].c).Add(terms[1].c).Add(len(own)))
}

// place is an index that says when it is evaluated, and number such a value.
func place(p *tl.Program, i int) int { p.Print("place", i); return i }

func number(p *tl.Program, i int) int { p.Print("number", i); return i }

// evaluated assigns to elements whose indices are calls: each is evaluated once, from left to right.
func evaluated(p *tl.Program, x, y tl.Ptr, n int, B tl.Const) {
	var a [2][3]int
	a[place(p, 1)][place(p, 2)] = number(p, 3)
	a[place(p, 0)][place(p, 1)] += number(p, 4)
	a[place(p, 1)][place(p, 0)]++
	a[place(p, 0)][0], a[1][place(p, 1)] = number(p, 5), number(p, 6)
	s := []struct{ v [2]int }{{}, {}}
	s[place(p, 1)].v[place(p, 1)] -= number(p, 7)
	sum := 0
	for i, row := range a {
		for j, v := range row {
			sum = 10*sum + (i+j+1)*v
		}
	}
	tl.Store(y.Add(p.ID(0)), sum+s[1].v[1])
}

// decayed has sums of products of Go's own floats, as optimizers have.
func decayed(p *tl.Program, x, y tl.Ptr, n int, B tl.Const) {
	rate, decay := 0.1, 1/float64(n)
	var sum float64
	for i := range min(n, 7) {
		v := tl.Load(x.Add(p.ID(0)*n + i)).Float()
		sum += v * v
	}
	tl.Store(y.Add(p.ID(0)), tl.Load(x.Add(p.ID(0)*n)).Mul(1-rate*decay).Add(sum-decay*rate))
}

// TestComposites runs kernels with structs, arrays, slices and sums of products on every engine.
func TestComposites(t *testing.T) {
	onEachEngine(t, map[string]any{
		"structs": structRows, "arrays": arrayRows, "tables": tables, "sums": decayed, "evaluated": evaluated,
	})
}

// onEachEngine runs kernels on every engine, and compares what they leave and print with what they do interpreted.
func onEachEngine(t *testing.T, kernels map[string]any) {
	const rows, n = 5, 300
	x := tensor.Randn(1, tl.Float32, rows*n)
	for name, fn := range kernels {
		for _, engine := range exec.Engines() {
			t.Run(name+"/"+engine, func(t *testing.T) {
				for _, n := range []int{n, n - 1} {
					want, got := tensor.Zeros(tl.Float32, rows), tensor.Zeros(tl.Float32, rows)
					var printed, wanted strings.Builder
					o := exec.Options{Engine: exec.Engines()[0], Workers: 1, Output: &wanted}
					if err := exec.New(fn, o).Launch(exec.Grid{rows}, x, want, n, 64); err != nil {
						t.Fatal(err)
					}
					o.Engine, o.Output = engine, &printed
					err := exec.New(fn, o).Launch(exec.Grid{rows}, x, got, n, 64)
					if err != nil && strings.Contains(err.Error(), "a product of floats in a sum") {
						t.Skip("this program is compiled for a processor where Go fuses products and sums")
					}
					if err != nil {
						t.Fatal(err)
					}
					if !tensor.Equal(want, got) || printed.String() != wanted.String() {
						t.Errorf("%v\n%s, want %v\n%s", got, &printed, want, &wanted)
					}
				}
			})
		}
	}
}
