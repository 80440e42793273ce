package frontend

import (
	"slices"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/flow"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/op"
)

// part is a part of a variable's value: the number-th scalar or tile in it, or the tensor that this points into.
type part struct {
	x      *value.Variable
	number int
	tensor bool
}

// carried is a variable that is carried around a loop.
type carried struct {
	x      *value.Variable
	init   value.Held
	header value.Value
}

// begin finds what the loop carries, makes the arguments of its block, and assigns
// them to the variables. It returns the values before the first round.
func (p *loop) begin(b *ir.Block) (inits []*ir.Value) {
	l := p.l
	p.carried, p.temps = nil, nil
	for _, x := range p.assignedVars() {
		c := carried{x: x, init: value.Held{Val: x.Val, At: x.At}}
		switch {
		case x.Val.Kind == value.Poison:
			continue
		case x.Val.Kind == value.Absent || p.within[x]:
			p.temps = append(p.temps, x)
			continue
		}
		n := 0
		c.header = p.header(x, x.Val, &n, b, &inits)
		p.carried = append(p.carried, c)
	}
	for _, x := range p.temps {
		l.Set(x, value.Value{Kind: value.Absent, Why: p.noValue("it is assigned in the loop, but used earlier in an iteration", x)}, x.At)
	}
	for _, c := range p.carried {
		l.Set(c.x, c.header, c.x.At)
	}
	return inits
}

// noValue is why a variable has none that is only assigned within the loop.
func (p *loop) noValue(text string, x *value.Variable) *value.Reason {
	why := &value.Reason{Format: "%s has no value here", Fix: "give it a value before the loop, for example with tl.Zeros"}
	why.Notes = append(why.Notes, diag.Note{Pos: p.l.File.Position(p.stmt.Pos()), Text: text})
	if n := p.rounds(); n > 0 && n <= maxRounds {
		why.Loop = p.stmt
	}
	return why
}

// assignedVars is the variables from before the loop that it assigns.
func (p *loop) assignedVars() (vars []*value.Variable) {
	l := p.l
	seen := map[*value.Variable]bool{}
	add := func(x *value.Variable) {
		if x != nil && x.Seq <= p.region.Seq && !seen[x] {
			seen[x] = true
			vars = append(vars, x)
		}
	}
	add(p.hidden)
	for _, o := range l.Assigned(p.stmt) {
		if p.region.Mode == flow.Counting && o == p.index || p.body.Pos() <= o.Pos() && o.Pos() < p.body.End() {
			continue // what the body declares may be there from an attempt before
		}
		add(l.Frame.Lookup(o))
	}
	for _, x := range p.more {
		add(x)
	}
	return vars
}

// header is a value as the loop's block sees it: the parts that vary are arguments.
// All scalars and tiles of simple variables vary; of a block pointer the offsets do,
// other parts only if a round was seen to change them.
func (p *loop) header(x *value.Variable, v value.Value, n *int, b *ir.Block, inits *[]*ir.Value) value.Value {
	l := p.l
	switch v.Kind {
	case value.ScalarKind, value.TileKind:
		number := *n
		*n++
		top := number == 0 && x.Val.Kind == v.Kind
		if !top && !p.varying[part{x, number, false}] && !p.offset(x, number) {
			return v
		}
		init := v.IR
		if v.Kind == value.ScalarKind {
			init = l.ScalarValue(v)
		}
		a := l.Func.NewValue(op.None, init.Type, l.File.Position(p.stmt.Pos()))
		b.Args = append(b.Args, a)
		*inits = append(*inits, init)
		l.Headers[a] = p.stmt
		if v.Kind == value.ScalarKind {
			return value.Runtime(v.Basic, a)
		}
		z := value.Pointer(a, v.Base)
		if p.varying[part{x, number, true}] {
			z.Base = a
		}
		if v.Dot != value.NoDot || p.dots[x] {
			z.Dot, z.DotPos = value.MaybeDot, v.DotPos
		}
		return z
	}
	z := v
	z.List = make([]value.Value, len(v.List))
	for i := range v.List {
		z.List[i] = p.header(x, v.List[i], n, b, inits)
	}
	return z
}

// offset reports whether a part is an offset of a block pointer.
func (p *loop) offset(x *value.Variable, number int) bool {
	return x.Val.Kind == value.BlockPtrKind && number > 2*x.Val.Desc.N
}

// goRound gives a way to the next round its operands: the varying parts of what the
// variables hold there.
func (p *loop) goRound(x flow.Exit) {
	for _, c := range p.carried {
		h, ok := x.Vars[c.x]
		if !ok {
			h = value.Held{Val: c.header, At: c.init.At}
		}
		n := 0
		if !p.next(x, c, c.header, c.init.Val, h.Val, &n) {
			p.changes(c, h)
		}
	}
	if p.again {
		p.again = false
		panic(flow.Retry{Of: p.region})
	}
}

// next appends the parts of a value that vary; it reports false if the value is of
// another type than the loop began with.
func (p *loop) next(x flow.Exit, c carried, header, init, v value.Value, n *int) bool {
	l := p.l
	if v.Kind == value.Poison {
		v = header
	}
	if header.Kind == value.Absent {
		return true // a part that has no value before the loop lives within rounds
	}
	if v.Kind == value.Absent {
		p.undecided(c, v)
		v = header
	}
	if v.Kind != header.Kind || v.Basic != header.Basic || len(v.List) != len(header.List) || v.Str != header.Str {
		return p.clashes(header, v)
	}
	switch header.Kind {
	case value.ScalarKind, value.TileKind:
		number := *n
		*n++
		if value.Same(header, init) { // it was taken not to vary
			if value.Same(v, init) {
				return true
			}
			p.varying[part{c.x, number, false}] = true
			p.again = true
			return true
		}
		if v.Kind == value.TileKind {
			if v.Base != header.Base && header.Base != header.IR && v.IR.Type == header.IR.Type {
				p.varying[part{c.x, number, true}] = true
				panic(flow.Retry{Of: p.region})
			}
			if v.IR.Type != header.IR.Type {
				x.Term.Args = append(x.Term.Args, header.IR)
				return p.clashes(header, v)
			}
			if v.Dot != value.NoDot && header.Dot == value.NoDot && v.IR != header.IR {
				p.dots[c.x] = true
				panic(flow.Retry{Of: p.region})
			}
		}
		x.Term.Args = append(x.Term.Args, l.OperandOf(x, v))
		return true
	case value.StringKind, value.DTypeKind, value.FuncKind, value.PointerKind, value.ProgramKind, value.NilKind:
		return value.Same(v, init) || p.clashes(header, v)
	}
	if v.Desc != nil && *v.Desc != *header.Desc {
		return p.clashes(header, v)
	}
	for i := range header.List {
		if !p.next(x, c, header.List[i], init.List[i], v.List[i], n) {
			return false
		}
	}
	return true
}

// clashes notes what differs before and after an iteration. It returns false.
func (p *loop) clashes(before, after value.Value) bool {
	p.clash = [2]value.Value{before, after}
	return false
}

// undecided reports a variable that a round leaves without a value.
func (p *loop) undecided(c carried, v value.Value) {
	if v.Why == nil {
		return
	}
	p.l.Decide(v.Why, p.stmt.Pos(), c.x.Name)
	d := p.l.Error(p.stmt.Pos(), v.Why.Format+", at the end of an iteration", c.x.Name)
	d.Notes = append(d.Notes, v.Why.Notes...)
	d.Fix("%s", v.Why.Fix)
}

// changes is a variable that a round gives another type. If no round reads what the
// one before left, it lives within rounds only.
func (p *loop) changes(c carried, h value.Held) {
	l := p.l
	isTile, name := p.clash[0].Kind == value.TileKind, c.x.Name
	if c.header.Kind == value.TileKind && !p.reads(c.header.IR) && !p.within[c.x] {
		p.within[c.x] = true
		panic(flow.Retry{Of: p.region})
	}
	before, after := c.init.Val, h.Val
	if before.Kind == value.ArrayKind || before.Kind == value.StructKind {
		before, after, name = p.clash[0], p.clash[1], "a part of "+name
	}
	from, to := before.Describe(), after.Describe()
	if n := p.rounds(); !isTile && n > 0 && n <= maxRounds {
		l.Unroll[p.stmt] = value.ReasonToUnroll{Pos: h.At, What: c.x.Name}
		panic(value.Again{})
	}
	d := l.Error(h.At, "%s changes in the loop: it is %s before an iteration and %s after it", name, from, to)
	d.NoteAt(l.File.Position(c.init.At), "before the loop it is assigned here")
	d.NoteAt(l.File.Position(p.stmt.Pos()), "a compiled loop carries numbers, bools, and tiles of one dtype and shape")
	if before.Kind == value.ListKind {
		d.Fix("use an array, such as var s [4]tl.Tile, or a loop whose number of iterations is known, up to a tl.Const")
	} else if isTile {
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
	if p.region.Block != nil {
		visit(p.region.Block)
	}
	return found
}

func (p *loop) isBack(v *ir.Value) bool {
	return slices.ContainsFunc(p.region.Backs, func(x flow.Exit) bool { return x.Term == v })
}

// checkWritten looks for variables that a round assigned although they were not
// taken to be, through a closure for example.
func (p *loop) checkWritten(ways ...flow.Exit) {
	known := map[*value.Variable]bool{p.hidden: true}
	for _, c := range p.carried {
		known[c.x] = true
	}
	for _, x := range p.temps {
		known[x] = true
	}
	fresh := false
	for _, w := range ways {
		for _, x := range w.Vars.Variables() {
			if !known[x] && x.Val.Kind != value.Poison && (p.region.Mode != flow.Counting || !p.isIndex(x)) {
				known[x] = true
				p.more = append(p.more, x)
				fresh = true
			}
		}
		for _, x := range p.fixed {
			if _, ok := w.Vars[x]; ok && p.counts && !p.isGo {
				p.counts = false
				p.region.Mode = flow.Looping
				fresh = true
			}
		}
	}
	if fresh {
		panic(flow.Retry{Of: p.region})
	}
}

func (p *loop) isIndex(x *value.Variable) bool {
	return p.index != nil && p.l.Frame.Lookup(p.index) == x
}

// after assigns a For's results.
func (p *loop) after(v *ir.Value, back flow.Exit) {
	l := p.l
	k := 0
	for _, c := range p.carried {
		val := p.results(v, c, c.header, c.init.Val, &k)
		if h, ok := back.Vars[c.x]; ok && h.Val.Kind == value.TileKind && h.Val.Dot != value.NoDot && val.Kind == value.TileKind && val.Dot == value.NoDot {
			val.Dot, val.DotPos = value.MaybeDot, h.Val.DotPos
		}
		l.Set(c.x, val, back.Vars.At(c.x, c.init.At))
	}
	for _, x := range p.temps {
		why := p.noValue("it is assigned in the loop, which may not run", x)
		l.Set(x, value.Value{Kind: value.Absent, Why: why}, x.At)
	}
}

// results is a carried value with its varying parts the results of the loop.
func (p *loop) results(v *ir.Value, c carried, header, init value.Value, k *int) value.Value {
	l := p.l
	switch header.Kind {
	case value.ScalarKind, value.TileKind:
		if value.Same(header, init) {
			return header
		}
		r := emit.Result(&l.Emitter, v, *k)
		*k++
		l.Headers[r] = p.stmt
		z := header
		if z.IR = r; header.Base == header.IR {
			z.Base = r
		}
		return z
	}
	z := header
	z.List = make([]value.Value, len(header.List))
	for i := range z.List {
		z.List[i] = p.results(v, c, header.List[i], init.List[i], k)
	}
	return z
}
