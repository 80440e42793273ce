package exec_test

import (
	"math"
	"sync"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// tally counts values, adds each to one of few sums, and keeps the largest.
func tally(p *tl.Program, x, counts, sums, most tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := tl.Mask(offs.Lt(n))
	v := tl.Load(x.Add(offs), mask, tl.Other(0))
	tl.AtomicAdd(counts.Add(v), 1, mask)
	tl.AtomicAdd(sums.Add(v.Mod(4)), v.To(tl.Float64), mask)
	tl.AtomicMax(most.Add(v.Mod(4)), v, mask)
}

// TestAtomicsTogether: nothing gets lost between workers that exchange the same elements.
func TestAtomicsTogether(t *testing.T) {
	const n, values = 100_003, 61
	x := tensor.RandInt(1, tl.Int32, 0, values, n)
	var counts [values]int
	var sums [4]float64
	for _, v := range tensor.Data[int32](x) {
		counts[v]++
		sums[v%4] += float64(v)
	}
	for _, e := range exec.Engines()[1:] {
		k := exec.New(tally, exec.Options{Engine: e, Workers: 4})
		c, s, m := tensor.Zeros(tl.Int64, values), tensor.Zeros(tl.Float64, 4), tensor.Zeros(tl.Int32, 4)
		if err := k.Launch(exec.Grid{tl.Cdiv(n, 256)}, x, c, s, m, n, 256); err != nil {
			t.Fatal(err)
		}
		for i, want := range counts {
			if got := tensor.Data[int64](c)[i]; got != int64(want) {
				t.Errorf("%s: %d times %d, want %d", e, got, i, want)
			}
		}
		for i, want := range sums {
			if got := tensor.Data[float64](s)[i]; got != want {
				t.Errorf("%s: sum %d is %v, want %v", e, i, got, want)
			}
			if got, want := tensor.Data[int32](m)[i], int32((values-1-i)/4*4+i); got != want {
				t.Errorf("%s: the largest of %d is %d, want %d", e, i, got, want)
			}
		}
	}
}

// rowTally adds a row of ones to a row that is named by data, all of it, and counts itself.
func rowTally(p *tl.Program, ids, rows, count tl.Ptr, cols int, C tl.Const) {
	c := tl.Arange(0, C)
	id := tl.Load(ids.Add(tl.Arange(0, 2).Add(p.ID(0) * 2)))
	mask := tl.Mask(c.Lt(cols).Row())
	tl.AtomicAdd(rows.Add(id.Col().Mul(cols).Add(c.Row())), 1.0, mask)
	tl.AtomicAdd(count, 1)
}

// TestLaunchesTogether: launches of one worker, which need no locks while they are alone, lose nothing when others come
// and go: the same engine's, other engines', the interpreter's.
func TestLaunchesTogether(t *testing.T) {
	const programs, cols, launches = 2000, 100, 12
	ids := tensor.RandInt(2, tl.Int32, 0, 3, 2*programs)
	rows, count := tensor.Zeros(tl.Float32, 3, cols), tensor.Zeros(tl.Int32, 1)
	engines := exec.Engines()
	var all sync.WaitGroup
	for i := range launches {
		engine, n := engines[len(engines)-1-i%len(engines)], programs
		if engine == "interpreted" || engine == "portable" { // they are slow
			n = programs / 200
		}
		k := exec.New(rowTally, exec.Options{Engine: engine, Workers: 1 + i/6})
		all.Go(func() {
			for range 20 {
				if err := k.Launch(exec.Grid{n}, ids, rows, count, cols, 128); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	sum := 0.0
	for i := range 3 {
		sum += float64(tensor.Data[float32](rows)[i*cols+cols-1])
	}
	if want := 2 * float64(tensor.Data[int32](count)[0]); sum != want {
		t.Errorf("%v rows were added, want %v", sum, want)
	}
}

// claim puts each key into the first slot from its own on that is free or has it, and counts itself under a lock.
func claim(p *tl.Program, keys, slots, where, lock, count tl.Ptr, BLOCK, SLOTS tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	k := tl.Load(keys.Add(offs))
	at := k.Mod(SLOTS)
	for range 6 {
		old := tl.AtomicCAS(slots.Add(at), 0, k)
		at = tl.Where(old.Eq(0).Or(old.Eq(k)), at, at.Add(1).Mod(SLOTS))
	}
	tl.Store(where.Add(offs), at)
	for tl.AtomicCAS(lock, 0, 1).Int() != 0 {
	}
	tl.Store(count, tl.Load(count).Add(1))
	tl.AtomicXchg(lock, 0)
}

// TestClaimsTogether: a slot is one worker's, and so is a lock.
func TestClaimsTogether(t *testing.T) {
	const n, slots, block = 4096, 509, 64
	x := tensor.Zeros(tl.Int32, n)
	for i := range n {
		tensor.Data[int32](x)[i] = int32(i*7919%500 + 1)
	}
	for _, e := range exec.Engines()[1:] {
		for _, workers := range []int{1, 4} {
			k := exec.New(claim, exec.Options{Engine: e, Workers: workers})
			s, w := tensor.Zeros(tl.Int32, slots), tensor.Zeros(tl.Int32, n)
			l, c := tensor.Zeros(tl.Int32, 1), tensor.Zeros(tl.Int32, 1)
			if err := k.Launch(exec.Grid{n / block}, x, s, w, l, c, block, slots); err != nil {
				t.Fatal(err)
			}
			for i, at := range tensor.Data[int32](w) {
				if key := tensor.Data[int32](x)[i]; tensor.Data[int32](s)[at] != key {
					t.Fatalf("%s, %d workers: key %d is not in its slot %d", e, workers, key, at)
				}
			}
			if got := tensor.Data[int32](c)[0]; got != n/block {
				t.Errorf("%s, %d workers: counted %d programs, want %d", e, workers, got, n/block)
			}
		}
	}
}

// swapsTwice exchanges elements that several lanes have in common, for what is there or not, and for what was seen.
func swapsTwice(p *tl.Program, x, want, v, z tl.Ptr, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK)
	at := x.Add(i.Mul(5).Mod(7))
	old := tl.AtomicCAS(at, tl.Load(want.Add(i)), tl.Load(v.Add(i)))
	tl.AtomicCAS(at, 0, 3)
	tl.Store(z.Add(i), tl.AtomicCAS(at, old, 0.0))
}

// TestSwaps exchanges elements of all types: zeros of both signs differ, NaNs do not.
func TestSwaps(t *testing.T) {
	const n = 37
	bits := func(d tl.DType, k int) uint64 {
		if d.IsFloat() {
			return dtype.FromFloat(d, []float64{0, math.Copysign(0, -1), math.NaN(), 1, 3}[k%5])
		}
		return []uint64{0, 1 << (d.Bits() - 1), ^uint64(0) >> (64 - d.Bits()), 1, 3}[k%5]
	}
	for _, d := range []tl.DType{tl.Int32, tl.Uint32, tl.Int64, tl.Uint64, tl.Float32, tl.Float64} {
		x, want, v := tensor.Zeros(d, 7), tensor.Zeros(d, n), tensor.Zeros(d, n)
		for i := range n {
			x.Buf().SetBits(i%7, bits(d, i))
			want.Buf().SetBits(i, bits(d, i*3+i/5))
			v.Buf().SetBits(i, bits(d, i*i))
		}
		sameInEngines(t, func(o exec.Options) ([]*tensor.Tensor, error) {
			y, z := x.Clone(), tensor.Zeros(d, n)
			return []*tensor.Tensor{y, z}, exec.New(swapsTwice, o).Launch(exec.Grid{1}, y, want, v, z, n)
		}, want, v)
	}
}

// numbersOf works on single elements: it numbers those of x in some order, combines them, and counts them under a lock.
func numbersOf(p *tl.Program, x, order, sums, lock tl.Ptr, each int) {
	for k := range each {
		i := p.ID(0)*each + k
		v := tl.Load(x.Add(i))
		tl.Store(order.Add(tl.AtomicAdd(sums, 1).Int()), i)
		tl.AtomicAdd(sums.Add(1), v)
		tl.AtomicMax(sums.Add(2), v)
		tl.AtomicMin(sums.Add(3), v)
		tl.AtomicXor(sums.Add(4), v)
		tl.AtomicOr(sums.Add(5), v)
		tl.AtomicAnd(sums.Add(6), v)
		for tl.AtomicCAS(lock, 0, 1).Int() != 0 {
		}
		tl.Store(lock.Add(1), tl.Load(lock.Add(1)).Add(1))
		tl.AtomicXchg(lock, 0)
	}
}

// TestNumbersTogether: nothing gets lost of single elements, either, and each number is given once.
func TestNumbersTogether(t *testing.T) {
	const programs, each = 64, 50
	x := tensor.RandInt(1, tl.Int32, 0, 1<<20, programs*each)
	want := [7]int32{programs * each, 0, 0, math.MaxInt32, 0, 0, -1}
	for _, v := range tensor.Data[int32](x) {
		want[1], want[2], want[3] = want[1]+v, max(want[2], v), min(want[3], v)
		want[4], want[5], want[6] = want[4]^v, want[5]|v, want[6]&v
	}
	for _, e := range exec.Engines()[1:] {
		for _, workers := range []int{1, 4} {
			k := exec.New(numbersOf, exec.Options{Engine: e, Workers: workers})
			order, lock := tensor.Full(tl.Int32, -1, programs*each), tensor.Zeros(tl.Int32, 2)
			sums := tensor.From([]int32{0, 0, 0, math.MaxInt32, 0, 0, -1})
			if err := k.Launch(exec.Grid{programs}, x, order, sums, lock, each); err != nil {
				t.Fatal(err)
			}
			if got := [7]int32(tensor.Data[int32](sums)); got != want {
				t.Errorf("%s, %d workers: %v, want %v", e, workers, got, want)
			}
			if got := tensor.Data[int32](lock)[1]; got != programs*each {
				t.Errorf("%s, %d workers: %d under a lock, want %d", e, workers, got, programs*each)
			}
			seen := map[int32]bool{}
			for _, i := range tensor.Data[int32](order) {
				seen[i] = true
			}
			if len(seen) != programs*each || seen[-1] {
				t.Errorf("%s, %d workers: %d different numbers, want %d", e, workers, len(seen), programs*each)
			}
		}
	}
}
