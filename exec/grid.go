package exec

import (
	"fmt"
	"math"
	"slices"

	tl "github.com/tiler-go/tiler/tilelang"
)

// Grid is the sizes of a launch's one to three axes. A size of 0 launches nothing.
type Grid []int

// Meta is the kernel's int arguments by parameter name.
type Meta map[string]int

// GridFn computes a grid from the arguments: the way to let block sizes decide it.
type GridFn func(m Meta) Grid

// Space is what a launch runs over: a Grid, or a GridFn.
type Space interface{ grid(Meta) Grid }

func (g Grid) grid(Meta) Grid     { return g }
func (f GridFn) grid(m Meta) Grid { return f(m) }

// extent is a checked grid: three sizes and their product.
type extent struct {
	axes  int
	num   [3]int
	total int
}

// id is the instance with the given number; the first axis runs fastest, as on a
// GPU.
func (e extent) id(i int) [3]int {
	return [3]int{i % e.num[0], i / e.num[0] % e.num[1], i / e.num[0] / e.num[1]}
}

// resolve computes and checks the grid.
func (k *Kernel) resolve(s Space, args []any) (e extent, err error) {
	err = k.measure(&e, s, args)
	return e, err
}

// measure is resolve, into e: to copy what has just been written word by word stalls a core.
func (k *Kernel) measure(e *extent, s Space, args []any) error {
	if s == nil {
		return fmt.Errorf("%s: a nil grid", k.fn.Name)
	}
	g, err := k.callGrid(s, args)
	if err != nil {
		return err
	}
	if len(g) < 1 || len(g) > 3 {
		return fmt.Errorf("%s: a grid of %d axes, want 1 to 3", k.fn.Name, len(g))
	}
	e.axes, e.num, e.total = len(g), [3]int{1, 1, 1}, 1
	for i, n := range g {
		if n < 0 {
			return fmt.Errorf("%s: grid %v: axis %d is negative", k.fn.Name, []int(g), i)
		}
		if n > math.MaxInt32 {
			return fmt.Errorf("%s: grid %v: axis %d is over 2147483647, the largest int32", k.fn.Name, []int(g), i)
		}
		if n > 0 && e.total > math.MaxInt/n {
			return fmt.Errorf("%s: grid %v has more programs than can be counted", k.fn.Name, []int(g))
		}
		e.num[i] = n
		e.total *= n
	}
	return nil
}

// callGrid runs a grid function, whose panic is an error.
func (k *Kernel) callGrid(s Space, args []any) (g Grid, err error) {
	if g, ok := s.(Grid); ok {
		return g, nil
	}
	defer func() {
		if v := recover(); v != nil {
			if f, ok := v.(*tl.Fault); ok {
				v = f.Diag.Msg
			}
			err = k.fn.Errorf("the grid function panicked: %v\n\tit is given the kernel's int parameters by name: %v%s",
				v, k.fn.Meta(args), k.fn.Nameless())
		}
	}()
	if f, ok := s.(GridFn); ok && f == nil {
		return nil, fmt.Errorf("%s: a nil grid function", k.fn.Name)
	}
	g = s.grid(k.fn.Meta(args))
	if why := k.fn.Nameless(); why != "" && slices.Contains(g, 0) {
		return nil, k.fn.Errorf("the grid function returned %v: it is given the kernel's int parameters by name%s", []int(g), why)
	}
	return g, nil
}

// String is the grid as messages show it: (2,3).
func (e extent) String() string { return tuple(e.num[:e.axes]) }

func tuple(ns []int) string {
	s := "("
	for i, n := range ns {
		if i > 0 {
			s += ","
		}
		s += fmt.Sprint(n)
	}
	return s + ")"
}
