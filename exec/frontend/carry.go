package frontend

import (
	"go/token"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/op"
)

// part is a part of a variable's value: the number-th scalar or tile in it.
type part struct {
	x      *variable
	number int
}

// carried is a variable that is carried around a loop.
type carried struct {
	x      *variable
	init   held
	header value
}

// begin finds what the loop carries, makes the arguments of its block, and assigns
// them to the variables. It returns the values before the first round.
func (p *loop) begin(b *ir.Block) (inits []*ir.Value) {
	l := p.l
	p.carried, p.temps = nil, nil
	for _, x := range p.assignedVars() {
		c := carried{x: x, init: held{x.val, x.at}}
		switch {
		case x.val.kind == poison:
			continue
		case x.val.kind == absent || p.within[x]:
			p.temps = append(p.temps, x)
			continue
		}
		n := 0
		c.header = p.header(x, x.val, &n, b, &inits)
		p.carried = append(p.carried, c)
	}
	for _, x := range p.temps {
		l.set(x, value{kind: absent, why: p.noValue("it is assigned in the loop, but used earlier in an iteration", x)}, x.at)
	}
	for _, c := range p.carried {
		l.set(c.x, c.header, c.x.at)
	}
	return inits
}

// noValue is why a variable has none that is only assigned within the loop.
func (p *loop) noValue(text string, x *variable) *reason {
	why := &reason{format: "%s has no value here", fix: "give it a value before the loop, for example with tl.Zeros"}
	why.notes = append(why.notes, diag.Note{Pos: p.l.f.Position(p.stmt.Pos()), Text: text})
	if n := p.rounds(); n > 0 && n <= maxRounds {
		why.loop = p.stmt
	}
	return why
}

// assignedVars is the variables from before the loop that it assigns.
func (p *loop) assignedVars() (vars []*variable) {
	l := p.l
	seen := map[*variable]bool{}
	add := func(x *variable) {
		if x != nil && x.seq <= p.region.seq && !seen[x] {
			seen[x] = true
			vars = append(vars, x)
		}
	}
	add(p.hidden)
	for _, o := range l.assigned(p.stmt) {
		if p.region.mode == counting && o == p.index || p.body.Pos() <= o.Pos() && o.Pos() < p.body.End() {
			continue // what the body declares may be there from an attempt before
		}
		add(l.frame.lookup(o))
	}
	for _, x := range p.more {
		add(x)
	}
	return vars
}

// header is a value as the loop's block sees it: the parts that vary are arguments.
// All scalars and tiles of simple variables vary; of a block pointer the offsets do,
// other parts only if a round was seen to change them.
func (p *loop) header(x *variable, v value, n *int, b *ir.Block, inits *[]*ir.Value) value {
	l := p.l
	switch v.kind {
	case scalarKind, tileKind:
		number := *n
		*n++
		top := number == 0 && x.val.kind == v.kind
		if !top && !p.varying[part{x, number}] && !p.offset(x, number) {
			return v
		}
		init := v.v
		if v.kind == scalarKind {
			init = l.scalarValue(v)
		}
		a := l.fn.NewValue(op.None, init.Type, l.f.Position(p.stmt.Pos()))
		b.Args = append(b.Args, a)
		*inits = append(*inits, init)
		l.headers[a] = p.stmt
		if v.kind == scalarKind {
			return runtime(v.basic, a)
		}
		z := pointerTo(a, v.base)
		if v.dot != noDot || p.dots[x] {
			z.dot, z.dotPos = maybeDot, v.dotPos
		}
		return z
	}
	z := v
	z.list = make([]value, len(v.list))
	for i := range v.list {
		z.list[i] = p.header(x, v.list[i], n, b, inits)
	}
	return z
}

// offset reports whether a part is an offset of a block pointer.
func (p *loop) offset(x *variable, number int) bool {
	return x.val.kind == blockPtrKind && number > 2*x.val.desc.n
}

// goRound gives a way to the next round its operands: the varying parts of what the
// variables hold there.
func (p *loop) goRound(x exit) {
	for _, c := range p.carried {
		h, ok := x.vars[c.x]
		if !ok {
			h = held{c.header, c.init.at}
		}
		n := 0
		if !p.next(x, c, c.header, c.init.val, h.val, &n) {
			p.changes(c, h)
		}
	}
}

// next appends the parts of a value that vary; it reports false if the value is of
// another type than the loop began with.
func (p *loop) next(x exit, c carried, header, init, v value, n *int) bool {
	l := p.l
	if v.kind == poison {
		v = header
	}
	if v.kind == absent {
		p.undecided(c, v)
		v = header
	}
	if v.kind != header.kind || v.basic != header.basic || len(v.list) != len(header.list) || v.s != header.s {
		return false
	}
	switch header.kind {
	case scalarKind, tileKind:
		number := *n
		*n++
		if same(header, init) { // it was taken not to vary
			if same(v, init) {
				return true
			}
			p.varying[part{c.x, number}] = true
			panic(retry{p.region})
		}
		if v.kind == tileKind {
			if v.v.Type != header.v.Type || v.base != header.base {
				x.term.Args = append(x.term.Args, header.v)
				return false
			}
			if v.dot != noDot && header.dot == noDot && v.v != header.v {
				p.dots[c.x] = true
				panic(retry{p.region})
			}
		}
		x.term.Args = append(x.term.Args, l.operandOf(x, v))
		return true
	case stringKind, dtypeKind, funcKind, programKind, nilKind:
		return same(v, init)
	}
	if v.desc != nil && *v.desc != *header.desc {
		return false
	}
	for i := range header.list {
		if !p.next(x, c, header.list[i], init.list[i], v.list[i], n) {
			return false
		}
	}
	return true
}

// undecided reports a variable that a round leaves without a value.
func (p *loop) undecided(c carried, v value) {
	if v.why == nil {
		return
	}
	p.l.decide(v.why, p.stmt.Pos(), c.x.name)
	d := p.l.error(p.stmt.Pos(), v.why.format+", at the end of an iteration", c.x.name)
	d.Notes = append(d.Notes, v.why.notes...)
	d.Fix("%s", v.why.fix)
}

// changes is a variable that a round gives another type. If no round reads what the
// one before left, it lives within rounds only.
func (p *loop) changes(c carried, h held) {
	l := p.l
	isTile := c.header.kind == tileKind
	if isTile && !p.reads(c.header.v) && !p.within[c.x] {
		p.within[c.x] = true
		panic(retry{p.region})
	}
	from, to := c.init.val.describe(), h.val.describe()
	if from == to {
		from, to = c.init.val.describePointer(), h.val.describePointer()
	}
	if n := p.rounds(); !isTile && n > 0 && n <= maxRounds {
		l.unroll[p.stmt] = reasonToUnroll{h.at, c.x.name}
		panic(again{})
	}
	d := l.error(h.at, "%s changes in the loop: it is %s before an iteration and %s after it", c.x.name, from, to)
	d.NoteAt(l.f.Position(c.init.at), "before the loop it is assigned here")
	d.NoteAt(l.f.Position(p.stmt.Pos()), "a compiled loop carries numbers, bools, and tiles of one dtype and shape")
	if isTile {
		d.Fix("convert it with To or Reshape before assigning it, or use another variable")
	} else {
		d.Fix("use a variable declared in the loop body")
	}
}

// reads reports whether the loop's body uses an argument of its block.
func (p *loop) reads(a *ir.Value) (found bool) {
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		for _, v := range b.Values {
			for _, x := range v.Args {
				found = found || x == a && !p.isBack(v)
			}
			for _, inner := range v.Blocks {
				visit(inner)
			}
		}
	}
	if p.region.block != nil {
		visit(p.region.block)
	}
	return found
}

func (p *loop) isBack(v *ir.Value) bool {
	for _, x := range p.region.backs {
		if x.term == v {
			return true
		}
	}
	return false
}

// checkWritten looks for variables that a round assigned although they were not
// taken to be, through a closure for example.
func (p *loop) checkWritten(ways ...exit) {
	known := map[*variable]bool{p.hidden: true}
	for _, c := range p.carried {
		known[c.x] = true
	}
	for _, x := range p.temps {
		known[x] = true
	}
	fresh := false
	for _, w := range ways {
		for _, x := range w.vars.variables() {
			if !known[x] && x.val.kind != poison && (p.region.mode != counting || !p.isIndex(x)) {
				known[x] = true
				p.more = append(p.more, x)
				fresh = true
			}
		}
		for _, x := range p.fixed {
			if _, ok := w.vars[x]; ok && p.counts && !p.isGo {
				p.counts = false
				p.region.mode = looping
				fresh = true
			}
		}
	}
	if fresh {
		panic(retry{p.region})
	}
}

func (p *loop) isIndex(x *variable) bool {
	return p.index != nil && p.l.frame.lookup(p.index) == x
}

// after assigns a For's results.
func (p *loop) after(v *ir.Value, back exit) {
	l := p.l
	k := 0
	for _, c := range p.carried {
		val := p.results(v, c, c.header, c.init.val, &k)
		if h, ok := back.vars[c.x]; ok && h.val.kind == tileKind && h.val.dot != noDot && val.kind == tileKind && val.dot == noDot {
			val.dot, val.dotPos = maybeDot, h.val.dotPos
		}
		l.set(c.x, val, back.vars.at(c.x, c.init.at))
	}
	for _, x := range p.temps {
		why := p.noValue("it is assigned in the loop, which may not run", x)
		l.set(x, value{kind: absent, why: why}, x.at)
	}
}

func (s state) at(x *variable, otherwise token.Pos) token.Pos {
	if h, ok := s[x]; ok {
		return h.at
	}
	return otherwise
}

// results is a carried value with its varying parts the results of the loop.
func (p *loop) results(v *ir.Value, c carried, header, init value, k *int) value {
	l := p.l
	switch header.kind {
	case scalarKind, tileKind:
		if same(header, init) {
			return header
		}
		r := emit.Result(l, v, *k)
		*k++
		l.headers[r] = p.stmt
		z := header
		z.v = r
		return z
	}
	z := header
	z.list = make([]value, len(header.list))
	for i := range z.list {
		z.list[i] = p.results(v, c, header.list[i], init.list[i], k)
	}
	return z
}
