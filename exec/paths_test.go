package exec_test

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// skips leaves rounds from within branches, after which the loop's body goes on.
func skips(p *tl.Program, y tl.Ptr, n int) {
	t := 0
	for i := 0; i < n; i++ {
		c := 0
		if i%4 == 1 {
			continue
		} else {
			if i%7 == 2 {
				continue
			}
			c += i
		}
		t += c + early(i)
	}
	tl.Store(y, float64(t))
}

func early(i int) int {
	r := 1
	if i%3 == 0 {
		return 7
	} else if i%5 == 1 {
		r = 2
	} else {
		if i%2 == 0 {
			return 9
		}
		r += i
	}
	return r * 10
}

// kept has pointers and closures that lead to variables of the branch that goes on.
func kept(p *tl.Program, y tl.Ptr, n int) {
	t := 0
	for i := 0; i < n; i++ {
		q := &t
		var f func() int
		if i%3 == 1 {
			continue
		} else {
			k := i
			k *= 2
			q = &k
			j := k
			j++
			f = func() int { j++; return j }
		}
		t += *q + f()*f()
	}
	tl.Store(y, float64(t))
}

// rangedIndex evaluates the index ahead of both assignments of a round.
func rangedIndex(p *tl.Program, y tl.Ptr, n int) {
	i := 2
	var a [3]int
	for i, a[i] = range [3]int{10, 20, n} {
	}
	tl.Store(y, float64(a[0]*10000+a[1]*100+a[2]))
}

// endless has loops that nothing leaves but a return.
func endless(p *tl.Program, y tl.Ptr, n int) {
	for i := 0; ; i++ {
		for j := 0; n > 7; j++ {
			for k := 0; ; {
				if k += i + j; k > n {
					tl.Store(y, float64(k))
					return
				}
				k++
			}
		}
		if i > n {
			tl.Store(y, float64(i))
			return
		}
	}
}

func triangle(n int) (s int) {
	for i := 0; i < n; i++ {
		s += i
	}
	return s
}

var summed = triangle(10)

// leaf calls nothing, and has no code for its first statement.
//
//go:noinline
func leaf(n int) int {
	s := 1
	s = (s*4 + n) % 7
	return s
}

// looped reads a variable, which a loop computes, first in a branch.
func looped(p *tl.Program, y tl.Ptr, n int) {
	if n > 7 {
		tl.Store(y, float64(summed))
	}
	for i := 0; i < n; i++ {
		tl.Store(y.Add(1), float64(summed+i))
	}
	tl.Store(y.Add(2), float64(summed*2))
	tl.Store(y.Add(3), float64(leaf(n)))
}

func double(t *tl.Tile) { *t = t.Mul(2) }

type clock struct {
	rate float64
	now  int
}

func (c *clock) tick() int { c.now++; return c.now }

// ordered reads beside calls what those do not change.
func ordered(p *tl.Program, y tl.Ptr, n int) {
	c := clock{rate: 0.5}
	t := tl.Full(tl.Float64, c.rate*float64(c.tick()), 4)
	double(&t)
	for i := 0; i < n; i++ {
		t = t.Add(c.tick() + i).Mul(c.rate)
		c.now = c.tick() - 2*c.tick() + c.tick()
	}
	if c.now > 1 && c.tick() > 2 && c.now > 3 {
		double(&t)
	}
	tl.Store(y.Add(tl.Arange(0, 4)), t.Add(c.now))
}

// TestPaths runs kernels whose control and order of evaluation are involved on every engine.
func TestPaths(t *testing.T) {
	kernels := map[string]any{
		"skips": skips, "kept": kept, "index": rangedIndex, "looped": looped, "ordered": ordered,
		"endless": endless,
	}
	for name, fn := range kernels {
		for _, engine := range exec.Engines() {
			t.Run(name+"/"+engine, func(t *testing.T) {
				for _, n := range []int{0, 5, 40} {
					want, err := launchPath(fn, exec.Engines()[0], n)
					if err != nil {
						t.Fatal(err)
					}
					got, err := launchPath(fn, engine, n)
					if err != nil {
						t.Fatal(err)
					}
					if !tensor.Equal(want, got) {
						t.Errorf("%d: %v, want %v", n, got, want)
					}
				}
			})
		}
	}
}

func launchPath(fn any, engine string, n int) (*tensor.Tensor, error) {
	y := tensor.Zeros(tl.Float64, 4)
	return y, exec.New(fn, exec.Options{Engine: engine, Workers: 1}).Launch(exec.Grid{1}, y, n)
}

func add10(q *int) int { *q += 10; return 1 }

func readBeside(p *tl.Program, y tl.Ptr, n int) { tl.Store(y, float64(n+add10(&n))) }

func readOf(p *tl.Program, y tl.Ptr, n int) {
	c := clock{now: n}
	tl.Store(y, float64(c.now-c.tick()))
}

func addedTo(p *tl.Program, y tl.Ptr, n int) {
	n += add10(&n)
	tl.Store(y, float64(n))
}

func indexed(p *tl.Program, y tl.Ptr, n int) {
	var a [4]int
	i := 0
	next := func() int { i++; return i }
	a[i] = next()
	tl.Store(y, float64(a[0]))
}

func otherSlice(p *tl.Program, y tl.Ptr, n int) {
	s := []int{1, 2, 3}
	s = append(s, n)
	{
		s := append(s, 5)
		s[0] = 100
	}
	tl.Store(y, float64(s[0]))
}

func roundsSlice(p *tl.Program, y tl.Ptr, n int) {
	f := func() int { return 0 }
	for s, i := []int{n, 2}, 0; i < 3; i++ {
		if i == 0 {
			f = func() int { return s[0] }
		}
		s[0] += 10
	}
	tl.Store(y, float64(f()))
}

func rangedSlice(p *tl.Program, y tl.Ptr, n int) {
	s := []int{1, 2, 3}
	set := func() { s[2] = n }
	for i, v := range s {
		set()
		tl.Store(y.Add(i), float64(v))
	}
}

func sliceAndElement(p *tl.Program, y tl.Ptr, n int) {
	s := []int{9, 9, 9}
	s, s[2] = []int{1, 2, 3}, n
	tl.Store(y, float64(s[2]))
}

// TestUnordered has kernels for which Go leaves something open, or in which slices share elements: they are refused.
func TestUnordered(t *testing.T) {
	const read, shared = "in a statement that reads it", "may share the slice's elements"
	for _, tt := range []struct {
		fn   any
		want string
	}{
		{readBeside, read}, {readOf, read}, {addedTo, read}, {indexed, read},
		{otherSlice, shared}, {roundsSlice, shared}, {rangedSlice, "a slice that its body assigns"},
		{sliceAndElement, "a slice and to its element"},
	} {
		for _, engine := range exec.Engines()[1:] {
			if _, err := launchPath(tt.fn, engine, 5); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %q", engine, err, tt.want)
			}
		}
	}
}
