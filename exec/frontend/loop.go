package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A loop is one being lowered.
type loop struct {
	l      *lowering
	stmt   ast.Stmt
	region *region
	body   *ast.BlockStmt
	cond   ast.Expr // nil: always true
	post   ast.Stmt
	jumps  bool // continue is a jump

	// Of a loop that counts: the variable, which a range over an int declares for
	// each round, and the bounds.
	index  types.Object
	name   *ast.Ident // of a range that assigns to a variable of its own
	isGo   bool       // a range over an int
	counts bool
	lo, hi value
	step   int64
	fixed  []*variable // what the bounds were computed from
	hidden *variable   // the count of a range that is lowered as a Loop

	// What retries have found out: variables that the body assigns besides those it
	// names, those that only live within a round, parts that change, and products.
	more    []*variable
	within  map[*variable]bool
	varying map[part]bool
	dots    map[*variable]bool

	carried []carried
	temps   []*variable
}

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

// maxRounds bounds unrolling.
const maxRounds = 1000

func (l *lowering) newLoop(s ast.Stmt, label string, body *ast.BlockStmt) *loop {
	p := &loop{l: l, stmt: s, body: body, within: map[*variable]bool{}, varying: map[part]bool{}, dots: map[*variable]bool{}}
	p.region = &region{kind: loopRegion, label: label, stmt: s, loop: p}
	return p
}

func (l *lowering) forStmt(s *ast.ForStmt, label string) {
	if s.Init != nil {
		l.stmt(s.Init, nil, nil, false)
	}
	p := l.newLoop(s, label, s.Body)
	p.cond, p.post = s.Cond, s.Post
	if _, ok := l.unroll[s]; ok {
		p.unrolled()
		return
	}
	p.countedFor(s)
	p.lower()
}

func (l *lowering) rangeStmt(s *ast.RangeStmt, label string) {
	t := l.f.info.TypeOf(s.X)
	if b, ok := basicOf(t); !ok || goTypes[b] == 0 || !goTypes[b].IsInt() {
		x := l.expr(s.X)
		if x.kind != poison {
			l.refuse(s.X.Pos(), "a range over "+typeName(t), "", "range over an int: for i := range n")
		}
		return
	}
	n := l.expr(s.X)
	if n.kind != scalarKind {
		l.unknownRange(s)
		return
	}
	p := l.newLoop(s, label, s.Body)
	p.counts, p.isGo, p.step = true, true, 1
	p.lo, p.hi = value{kind: scalarKind, basic: n.basic, known: true}, n
	if id, ok := s.Key.(*ast.Ident); ok && id.Name != "_" {
		if s.Tok == token.DEFINE {
			p.index = l.f.info.Defs[id]
		} else {
			p.name = id
		}
	} else if s.Key != nil && !ok {
		l.assignTo(s.Key, bad)
	}
	if _, ok := l.unroll[s]; ok {
		p.unrolledRange()
		return
	}
	p.lower()
}

// unknownRange lowers the body of a range whose bound was refused, for its messages.
func (l *lowering) unknownRange(s *ast.RangeStmt) {
	if id, ok := s.Key.(*ast.Ident); ok && s.Tok == token.DEFINE {
		l.declare(l.f.info.Defs[id], id.Name, bad, id.Pos())
	}
	r := &region{kind: loopRegion}
	l.breakable(r, s.Pos(), func() {
		l.breakable(&region{kind: bodyRegion, loop: &loop{region: r}}, s.Pos(), func() { l.both(s.Body.List) })
	})
}

// countedFor recognises for i := lo; i < hi; i += step, with a step that is known and
// positive, a bound that the body does not change, and an index that it does not
// assign.
func (p *loop) countedFor(s *ast.ForStmt) {
	l := p.l
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != 1 {
		return
	}
	id, ok := init.Lhs[0].(*ast.Ident)
	if !ok {
		return
	}
	i := l.f.info.Defs[id]
	x := l.frame.lookup(i)
	if x == nil || x.val.kind != scalarKind || x.val.basic != types.Int || !p.steps(s.Post, i) {
		return
	}
	for _, o := range l.assigned(s.Body) {
		if o == i {
			return
		}
	}
	bound, inclusive := p.bound(s.Cond, i)
	if bound == nil || !p.invariant(bound) {
		return
	}
	hi := l.expr(bound)
	if hi.kind != scalarKind {
		return
	}
	if inclusive {
		if hi.known && hi.int() == 1<<63-1 {
			return
		}
		l.at(bound.Pos())
		hi = l.scalarBinary(token.ADD, bound.Pos(), hi, intValue(1))
	}
	p.counts, p.index, p.lo, p.hi = true, i, x.val, hi
}

// steps recognises i++, i += c and i = i + c, for a known c above 0.
func (p *loop) steps(s ast.Stmt, i types.Object) bool {
	l := p.l
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && l.f.info.Uses[id] == i
	}
	var by ast.Expr
	switch s := s.(type) {
	case *ast.IncDecStmt:
		p.step = 1
		return s.Tok == token.INC && is(s.X)
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || !is(s.Lhs[0]) {
			return false
		}
		sum, isSum := s.Rhs[0].(*ast.BinaryExpr)
		switch {
		case s.Tok == token.ADD_ASSIGN:
			by = s.Rhs[0]
		case s.Tok == token.ASSIGN && isSum && sum.Op == token.ADD && is(sum.X):
			by = sum.Y
		default:
			return false
		}
	default:
		return false
	}
	if !p.invariant(by) {
		return false
	}
	v := l.expr(by)
	if v.kind != scalarKind || !v.known || v.int() <= 0 {
		return false
	}
	p.step = v.int()
	return true
}

// bound is the other side of a comparison with the index.
func (p *loop) bound(cond ast.Expr, i types.Object) (hi ast.Expr, inclusive bool) {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return nil, false
	}
	x, y := ast.Unparen(b.X), ast.Unparen(b.Y)
	if id, ok := x.(*ast.Ident); ok && p.l.f.info.Uses[id] == i && (b.Op == token.LSS || b.Op == token.LEQ) {
		return y, b.Op == token.LEQ
	}
	if id, ok := y.(*ast.Ident); ok && p.l.f.info.Uses[id] == i && (b.Op == token.GTR || b.Op == token.GEQ) {
		return x, b.Op == token.GEQ
	}
	return nil, false
}

// invariant reports whether an expression has the same value in every round and can
// be evaluated before the first: it is computed from variables that the loop does
// not assign, without memory.
func (p *loop) invariant(e ast.Expr) bool {
	l := p.l
	ok := true
	changed := map[types.Object]bool{}
	for _, o := range l.assigned(p.stmt) {
		changed[o] = true
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			o, isVar := l.f.info.Uses[n].(*types.Var)
			if !isVar {
				return true
			}
			if x := l.frame.lookup(o); x != nil && !changed[o] {
				p.fixed = append(p.fixed, x)
			} else {
				ok = false
			}
		case *ast.CallExpr:
			ok = ok && l.invariantCall(n)
		case *ast.SelectorExpr:
			ast.Inspect(n.X, func(m ast.Node) bool { return ok })
		case *ast.FuncLit, *ast.CompositeLit:
			ok = false
		case *ast.BinaryExpr:
			// Division fails where Go's does, in the first evaluation of the condition.
		}
		return ok
	})
	return ok
}

// invariantCall reports whether a call only computes.
func (l *lowering) invariantCall(e *ast.CallExpr) bool {
	fun := ast.Unparen(e.Fun)
	if t := l.f.info.Types[fun]; t.IsType() || t.IsBuiltin() {
		return true
	}
	s, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if p := l.packageOf(s); p != nil {
		return p.Imported().Path() == mathPath || s.Sel.Name == "Cdiv" || s.Sel.Name == "NextPow2"
	}
	switch s.Sel.Name {
	case "ID", "Num", "Dim", "Shape":
		return true
	}
	return false
}

// rounds is how often a counting loop runs, -1 if that is not known.
func (p *loop) rounds() int64 {
	if !p.counts || !p.lo.known || !p.hi.known {
		return -1
	}
	lo, hi := p.lo.int(), p.hi.int()
	if hi <= lo {
		return 0
	}
	n := uint64(hi) - uint64(lo)
	return int64(min((n-1)/uint64(p.step)+1, 1<<62))
}

// lower lowers the loop as a For or a Loop.
func (p *loop) lower() {
	if p.l.lane != nil {
		p.inLane()
		return
	}
	if p.rounds() == 0 {
		return
	}
	p.region.mode = looping
	if p.counts {
		p.region.mode = counting
	}
	p.l.within(p.region, func() {
		p.hidden = nil
		if p.region.mode == counting {
			p.lowerFor()
		} else {
			p.lowerLoop()
		}
	})
}

// inLane is a loop in a combining function: it must be unrolled.
func (p *loop) inLane() {
	p.l.unroll[p.stmt] = reasonToUnroll{p.stmt.Pos(), "a loop in a combining function"}
	if p.isGo {
		p.unrolledRange()
	} else {
		p.unrolled()
	}
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
		l.set(x, value{kind: absent, why: p.noValue("it is assigned in the loop, and used in a round before that", x)}, x.at)
	}
	for _, c := range p.carried {
		l.set(c.x, c.header, c.x.at)
	}
	return inits
}

// noValue is why a variable has none that is only assigned within the loop.
func (p *loop) noValue(text string, x *variable) *reason {
	why := &reason{format: "%s has no value here", fix: "give it a value before the loop, for example with tl.Zeros"}
	why.notes = append(why.notes, diag.Note{Pos: p.l.f.position(p.stmt.Pos()), Text: text})
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
		if p.region.mode == counting && o == p.index {
			continue
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
		a := l.fn.NewValue(op.None, init.Type, l.f.position(p.stmt.Pos()))
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
	d := p.l.error(p.stmt.Pos(), v.why.format+", at the end of a round", c.x.name)
	d.Notes = append(d.Notes, v.why.notes...)
	d.Fix("%s", v.why.fix)
}

// changes is a variable that a round gives another type. If no round reads what the
// one before left, it lives within rounds only.
func (p *loop) changes(c carried, h held) {
	l := p.l
	if c.header.kind != tileKind || !p.reads(c.header.v) {
		if !p.within[c.x] && (c.header.kind == tileKind || !p.l.usedVar(p.body, c.x)) {
			p.within[c.x] = true
			panic(retry{p.region})
		}
	}
	at := h.at
	from, to := c.init.val.describe(), h.val.describe()
	if from == to {
		from, to = c.init.val.describePointer(), h.val.describePointer()
	}
	d := l.error(at, "%s changes in the loop: it is %s before a round and %s after it", c.x.name, from, to)
	d.NoteAt(l.f.position(c.init.at), "before the loop it is assigned here")
	d.NoteAt(l.f.position(p.stmt.Pos()), "a compiled loop carries variables of one dtype and shape")
	d.Fix("convert it with To or Reshape before assigning it, or use another variable")
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

// usedVar reports whether syntax names a variable other than to assign it.
func (l *lowering) usedVar(n ast.Node, x *variable) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == x.name {
			found = true
		}
		return !found
	})
	return found
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

// lowerFor lowers a counting loop without jumps.
func (p *loop) lowerFor() {
	l, r := p.l, p.region
	outer, memo := l.block, len(l.memoLog)
	l.at(p.stmt.Pos())
	lo, hi := l.scalarValue(p.asInt(p.lo)), l.scalarValue(p.asInt(p.hi))
	b := &ir.Block{}
	i := l.fn.NewValue(op.None, ir.Scalar(dtype.Int64), l.f.position(p.stmt.Pos()))
	b.Args = append(b.Args, i)
	l.headers[i] = p.stmt
	if p.lo.known && p.lo.int() >= 0 {
		l.nonneg[i] = true
	}
	inits := p.begin(b)
	memo = max(memo, len(l.memoLog))
	l.block, r.block = b, b
	p.setIndex(runtime(types.Int, i))
	p.round(nesting)
	if l.flow.kind == leaves {
		l.simplify(l.flow.to)
	}
	p.checkIndex(i)
	l.at(p.stmt.Pos())
	back := exit{b, l.emit(ir.Yield, ir.Type{}), l.since(r.mark, r.seq)}
	r.backs = append(r.backs, back)
	l.forget(memo)
	l.undo(r.mark)
	p.checkWritten(back)
	p.goRound(back)
	l.block = outer
	v := l.emit(ir.For, ir.Type{}, append([]*ir.Value{lo, hi}, inits...)...)
	v.Index, v.Blocks = int(p.step), []*ir.Block{b}
	for _, a := range inits {
		v.Results = append(v.Results, a.Type)
	}
	p.after(v, back)
	l.flow = flow{}
}

// asInt is a bound as the int64 that a For counts with.
func (p *loop) asInt(v value) value {
	if v.basic == types.Int {
		return v
	}
	return p.l.cast(v, types.Int)
}

// setIndex gives the loop's index its value for a round.
func (p *loop) setIndex(v value) {
	l := p.l
	if p.lo.basic != types.Int {
		v = l.cast(v, p.lo.basic)
	}
	switch {
	case p.name != nil:
		l.assignTo(p.name, v)
	case p.index == nil:
	case p.isGo:
		l.declare(p.index, p.index.Name(), v, p.index.Pos())
	default:
		if x := l.frame.lookup(p.index); x != nil {
			l.set(x, v, x.at)
		}
	}
}

// checkIndex lowers a three-clause loop again whose index was assigned after all, by
// a closure.
func (p *loop) checkIndex(i *ir.Value) {
	if p.isGo || p.index == nil {
		return
	}
	if x := p.l.frame.lookup(p.index); x != nil && x.val.v != i {
		p.counts = false
		p.l.simplify(p.region)
	}
}

// round lowers the body once.
func (p *loop) round(m mode) {
	l := p.l
	r := &region{kind: bodyRegion, mode: m, label: p.region.label, loop: p, mark: p.region.mark, seq: p.region.seq}
	r.post = func() { p.step1() }
	n := len(l.regions)
	l.regions = append(l.regions, r)
	l.list(p.body.List, true)
	l.regions = l.regions[:n]
	if l.flow == (flow{leaves, r}) {
		l.flow = flow{}
	}
}

// step1 is what comes between two rounds.
func (p *loop) step1() {
	l := p.l
	if p.hidden != nil {
		l.at(p.stmt.Pos())
		l.set(p.hidden, l.apply(op.Add, types.Int, p.hidden.val, intValue(1)), p.stmt.Pos())
	}
	if p.post != nil {
		l.stmt(p.post, nil, nil, false)
	}
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
		r := l.emit(ir.Result, header.v.Type, v)
		r.Index = *k
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

// lowerLoop lowers a loop that is left by a condition or jumps.
func (p *loop) lowerLoop() {
	l, r := p.l, p.region
	outer := l.block
	cond := p.cond
	if p.isGo {
		p.hidden = l.declare(nil, "the range", p.asInt(p.lo), p.stmt.Pos())
		r.seq = l.seq
		cond = nil
	}
	b := &ir.Block{}
	l.at(p.stmt.Pos())
	inits := p.begin(b)
	memo := len(l.memoLog)
	l.block, r.block = b, b
	if p.isGo {
		p.test(l.apply(op.Lt, types.Bool, p.hidden.val, p.asInt(p.hi)), p.stmt.Pos())
		p.setIndex(p.hidden.val)
	} else if cond != nil {
		p.test(l.expr(cond), cond.Pos())
	}
	if l.flow.kind == falls {
		m := nesting
		if p.jumps {
			m = jumping
		}
		p.round(m)
	}
	if l.flow.kind == falls {
		p.step1()
		l.at(p.stmt.Pos())
		l.goRound(r, 0)
	}
	l.forget(memo)
	p.checkWritten(append(append([]exit(nil), r.backs...), r.exits...)...)
	if l.flow.kind == leaves {
		l.simplify(l.flow.to)
	}
	l.undo(r.mark)
	for _, x := range r.backs {
		p.goRound(x)
	}
	l.block = outer
	l.close(r, p.stmt.Pos(), inits)
}

// test leaves the loop unless its condition holds.
func (p *loop) test(cond value, at token.Pos) {
	l := p.l
	if cond.kind != scalarKind { // refused: whatever follows is to be looked at
		l.suspect(at)
		cond = runtime(types.Bool, l.constant(dtype.Bool, 1))
	}
	switch {
	case cond.known && cond.bool():
	case cond.known:
		l.at(at)
		l.leave(p.region)
	default:
		l.branch(at, cond.v, func(bool) {}, func(bool) { l.leave(p.region) }, nil, false)
	}
}

// unrolled lowers a loop round by round: its condition must be known each time.
func (p *loop) unrolled() {
	l := p.l
	l.breakable(p.region, p.stmt.Pos(), func() {
		for n := 0; ; n++ {
			if p.cond != nil {
				holds, ok := p.decided(p.cond)
				if !ok || !holds {
					return
				}
			}
			if !p.unrolledRound(n) {
				return
			}
			if p.post != nil {
				l.stmt(p.post, nil, nil, false)
			}
		}
	})
}

// decided is the condition of an unrolled loop.
func (p *loop) decided(e ast.Expr) (holds, ok bool) {
	l := p.l
	n := len(l.diags)
	bits, ok := l.static(l.expr(e), e.Pos(), "the condition of this loop")
	p.explainUnrolling(n)
	return bits != 0, ok
}

// explainUnrolling adds to the messages from the n-th on why the loop is unrolled.
func (p *loop) explainUnrolling(n int) {
	why := p.l.unroll[p.stmt]
	for _, d := range p.l.diags[n:] {
		d.NoteAt(p.l.f.position(why.pos), "the loop is unrolled because %s depends on it", why.what)
	}
}

// unrolledRound lowers one round, and reports whether another may follow.
func (p *loop) unrolledRound(n int) bool {
	l := p.l
	if n == maxRounds {
		l.error(p.stmt.Pos(), "a loop of more than %d rounds would have to be unrolled", maxRounds)
		p.explainUnrolling(len(l.diags) - 1)
		return false
	}
	body := &region{kind: bodyRegion, label: p.region.label, loop: p}
	l.breakable(body, p.body.Pos(), func() { l.list(p.body.List, true) })
	return l.flow.kind == falls
}

// unrolledRange is unrolled for a range over an int.
func (p *loop) unrolledRange() {
	l := p.l
	n := len(l.diags)
	bits, ok := l.static(p.hi, p.stmt.Pos(), "the range of this loop")
	p.explainUnrolling(n)
	if !ok {
		return
	}
	l.breakable(p.region, p.stmt.Pos(), func() {
		for i := 0; i < int(bits); i++ {
			p.setIndex(value{kind: scalarKind, basic: types.Int, known: true, bits: uint64(i)})
			if !p.unrolledRound(i) {
				return
			}
		}
	})
}
