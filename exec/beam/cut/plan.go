package cut

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Piece is programs of a launch, and what of the tensors they need.
type Piece struct {
	Index   int
	From, N [3]int   // the first program, and how many along each axis
	Need    []Region // by argument of the launch: what is read or written
	Write   []Region // what may be written
}

// Bytes is how much memory the tensors of a piece take.
func (p *Program) Bytes(q Piece) (n int) {
	for i, r := range q.Need {
		if t := p.Launch.Args[i].Tensor; t != nil {
			n += r.Bytes(t.Type().Size())
		}
	}
	return n
}

// Rows is the progress that a piece makes: rows of what it writes.
func (p *Program) Rows(q Piece) (n int) {
	for i, r := range q.Write {
		if t := p.Launch.Args[i].Tensor; t != nil && !r.Empty() {
			return max(1, r.Len()/t.Row())
		}
	}
	return 0
}

// A touch is where the accesses of a box go.
type touch struct {
	regions []Region // by access
	why     []string // why a region is all of its tensor
	exact   bool     // no program had to be looked at by itself
}

// touch looks at all programs of a box at once; at each by itself for an access that is not understood otherwise.
func (a *analysis) touch(b box) touch {
	t := touch{make([]Region, len(a.accesses)), make([]string, len(a.accesses)), true}
	w := a.view(b)
	for i, x := range a.accesses {
		t.regions[i], t.why[i] = w.region(x)
		if t.why[i] == "" || b.size() == 1 {
			continue
		}
		one := box{b.from, [3]int{1, 1, 1}}
		if _, why := a.view(one).region(x); why != "" {
			t.why[i] = why
			continue
		}
		t.exact = false
		t.regions[i], t.why[i] = a.each(b, x)
	}
	return t
}

// each is the union of where an access of each program goes.
func (a *analysis) each(b box, x *access) (z Region, why string) {
	row := a.tensor(x).Row()
	for k := range b.n[2] {
		for j := range b.n[1] {
			for i := range b.n[0] {
				one := box{[3]int{b.from[0] + i, b.from[1] + j, b.from[2] + k}, [3]int{1, 1, 1}}
				r, why := a.view(one).region(x)
				if why != "" {
					return r, why
				}
				z = union(z, r, row)
			}
		}
	}
	return z, ""
}

func (a *analysis) tensor(x *access) *Tensor { return a.p.Launch.Args[a.p.Tensors[x.base]].Tensor }

// piece is the box as a piece.
func (a *analysis) piece(b box, t touch) Piece {
	n := len(a.p.Launch.Args)
	q := Piece{From: b.from, N: b.n, Need: make([]Region, n), Write: make([]Region, n)}
	for i, x := range a.accesses {
		arg, row := a.p.Tensors[x.base], a.tensor(x).Row()
		q.Need[arg] = union(q.Need[arg], t.regions[i], row)
		if x.v.Writes() {
			q.Write[arg] = union(q.Write[arg], t.regions[i], row)
		}
	}
	return q
}

// join is the touch of two boxes together.
func (a *analysis) join(x, y touch) touch {
	z := touch{make([]Region, len(x.regions)), make([]string, len(x.regions)), x.exact && y.exact}
	for i, r := range x.regions {
		z.regions[i] = union(r, y.regions[i], a.tensor(a.accesses[i]).Row())
		if z.why[i] = x.why[i]; z.why[i] == "" {
			z.why[i] = y.why[i]
		}
	}
	return z
}

// conflict is why two boxes cannot be apart: an access of one that writes what the other reads or writes.
func (a *analysis) conflict(x, y touch) error {
	for i, p := range a.accesses {
		for j, q := range a.accesses {
			if p.base != q.base || !p.v.Writes() && !q.v.Writes() {
				continue
			}
			if !meet(x.regions[i], y.regions[j], a.tensor(p).Row()) {
				continue
			}
			if !p.v.Writes() {
				p, i, q = q, j, p
			}
			return a.conflicting(p, q, x.why[i])
		}
	}
	return nil
}

// conflicting says why an access that writes, and another of other programs, need one piece.
func (a *analysis) conflicting(p, q *access, why string) error {
	name := a.p.Params[p.base]
	switch {
	case ir.Family(p.v.Op) == op.Atomic:
		return a.refuse(p, "programs of several pieces change the same elements of %s\n\tfix: store a result of each "+
			"program, and combine these with %s in a second launch", name, combines[p.v.Op])
	case why != "":
		return a.refuse(p, "which elements of %s it writes is not known: %s", name, why)
	case !q.v.Writes():
		return a.refuse(p, "it writes elements of %s that programs of another piece load", name)
	}
	return a.refuse(p, "programs of several pieces write the same rows of %s, or rows that lie between each other's\n\t"+
		"fix: let neighbouring programs write neighbouring rows", name)
}

// combines says by what results of programs become the one that an atomic operation makes.
var combines = map[op.Op]string{
	op.AtomicAdd: "add", op.AtomicMax: "maximum", op.AtomicMin: "minimum", op.AtomicAnd: "and", op.AtomicOr: "or",
	op.AtomicXor: "xor", op.AtomicXchg: "the last one, of which there is none without an order",
	op.AtomicCAS: "what the loop around it computes",
}

// Cut cuts the launch into pieces of which inFlight, one after the other, take at most memory bytes of tensors together,
// as few as halving the grid makes. The error is an *Error if it cannot be cut so.
func (p *Program) Cut(memory, inFlight int) ([]Piece, error) {
	c := &cutting{analysis: p.analysis, memory: memory, inFlight: inFlight}
	all := box{n: p.grid}
	t := c.touch(all)
	if err := c.cut(all, t, c.weigh(all, t)); err != nil {
		return nil, err
	}
	pieces := p.order(c.pieces)
	for i := range pieces {
		pieces[i].Index = i
	}
	return pieces, nil
}

type cutting struct {
	*analysis
	memory, inFlight int
	pieces           []Piece
}

func (c *cutting) cut(b box, t touch, all weight) error {
	q := c.piece(b, t)
	if all.memory <= c.memory {
		c.pieces = append(c.pieces, q)
		return nil
	}
	if b.size() == 1 {
		return c.tooLarge(q, t)
	}
	var best *halves
	var refused error
	for axis, n := range b.n {
		if n < 2 {
			continue
		}
		h, err := c.halve(b, axis, t.exact)
		if err != nil {
			refused = err
			continue
		}
		if c.better(h, best) {
			best = h
		}
	}
	if best == nil {
		return refused
	}
	if best.most().memory >= all.memory {
		if err := c.needsAll(t); err != nil {
			return err
		}
	}
	for i, b := range best.boxes {
		if err := c.cut(b, best.touches[i], best.weights[i]); err != nil {
			return err
		}
	}
	return nil
}

// needsAll is an access that needs all of a tensor that is too large.
func (c *cutting) needsAll(t touch) error {
	for i, x := range c.accesses {
		if n := t.regions[i].Bytes(c.tensor(x).Type().Size()); n > c.memory && t.why[i] != "" {
			return c.refuse(x, "a piece needs all of %s, %s, and may have %s: %s",
				c.p.Params[x.base], size(n), size(c.memory), t.why[i])
		}
	}
	return nil
}

// tooLarge says that one program needs too much.
func (c *cutting) tooLarge(q Piece, t touch) error {
	if err := c.needsAll(t); err != nil {
		return err
	}
	worst, most := 0, 0
	for i, x := range c.accesses {
		if n := t.regions[i].Bytes(c.tensor(x).Type().Size()); n > most {
			worst, most = i, n
		}
	}
	return c.refuse(c.accesses[worst], "one program needs %s of tensors, and a piece may have %s: %s of %s here",
		size(c.p.Bytes(q)), size(c.memory/c.inFlight), size(most), c.p.Params[c.accesses[worst].base])
}

func size(n int) string {
	if n < 10<<20 {
		return fmt.Sprintf("%.4g KiB", float64(n)/1024)
	}
	return fmt.Sprintf("%.4g MiB", float64(n)/(1<<20))
}

// halves are two parts of a box.
type halves struct {
	boxes   [2]box
	touches [2]touch
	weights [2]weight
}

// most is of each weight the greater one.
func (h *halves) most() weight {
	x, y := h.weights[0], h.weights[1]
	return weight{max(x.memory, y.memory), max(x.reads, y.reads)}
}

// halve cuts a box along an axis, as near to its middle as is possible.
func (c *cutting) halve(b box, axis int, exact bool) (*halves, error) {
	if !exact {
		return c.halveSlabs(b, axis)
	}
	n := b.n[axis]
	var refused error
	for d := range min(17, n/2+1) {
		for _, at := range []int{n/2 + d, n/2 - d} {
			if at < 1 || at >= n {
				continue
			}
			lo, hi := parts(b, axis, at)
			h := &halves{boxes: [2]box{lo, hi}, touches: [2]touch{c.touch(lo), c.touch(hi)}}
			if err := c.conflict(h.touches[0], h.touches[1]); err != nil {
				refused = err
				continue
			}
			return c.weighed(h), nil
		}
	}
	return nil, refused
}

func parts(b box, axis, at int) (lo, hi box) {
	lo, hi = b, b
	lo.n[axis] = at
	hi.from[axis] += at
	hi.n[axis] -= at
	return lo, hi
}

func (c *cutting) weighed(h *halves) *halves {
	for i := range h.boxes {
		h.weights[i] = c.weigh(h.boxes[i], h.touches[i])
	}
	return h
}

// halveSlabs looks at each place where a box can be cut, for a grid whose programs are in an order of their own.
func (c *cutting) halveSlabs(b box, axis int) (*halves, error) {
	n := b.n[axis]
	slabs := make([]touch, n)
	for i := range slabs {
		s := b
		s.from[axis] += i
		s.n[axis] = 1
		slabs[i] = c.touch(s)
	}
	before, behind := make([]touch, n), make([]touch, n) // of slabs up to i, and from i on
	for i := range slabs {
		before[i], behind[n-1-i] = slabs[i], slabs[n-1-i]
		if i > 0 {
			before[i], behind[n-1-i] = c.join(before[i-1], slabs[i]), c.join(slabs[n-1-i], behind[n-i])
		}
	}
	var refused error
	for d := range n {
		for _, at := range []int{n/2 + d, n/2 - d} {
			if at < 1 || at >= n {
				continue
			}
			if err := c.conflict(before[at-1], behind[at]); err != nil {
				refused = err
				continue
			}
			lo, hi := parts(b, axis, at)
			return c.weighed(&halves{boxes: [2]box{lo, hi}, touches: [2]touch{before[at-1], behind[at]}}), nil
		}
	}
	return nil, refused
}
