package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/flow"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A loop is one being lowered.
type loop struct {
	l      *lowering
	stmt   ast.Stmt
	region *flow.Region
	body   *ast.BlockStmt
	cond   ast.Expr // nil: always true
	post   ast.Stmt

	counter

	// What retries have found out: variables that the body assigns besides those it
	// names, those that only live within a round, parts that change, and products.
	more    []*value.Variable
	within  map[*value.Variable]bool
	varying map[part]bool
	again   bool           // a part was found to change
	clash   [2]value.Value // a part before and after an iteration, if it changed its type
	dots    map[*value.Variable]bool

	carried []carried
	temps   []*value.Variable
}

// counter is the variable of a loop that counts, which a range over an int declares for each round, and the bounds.
type counter struct {
	index  types.Object
	name   *ast.Ident // of a range that assigns to a variable of its own
	isGo   bool       // a range over an int
	counts bool
	lo, hi value.Value
	step   int64
	fixed  []*value.Variable // what the bounds were computed from
	hidden *value.Variable   // the count of a range that is lowered as a Loop
}

func (l *lowering) newLoop(s ast.Stmt, label string, body *ast.BlockStmt) *loop {
	p := &loop{l: l, stmt: s, body: body, within: map[*value.Variable]bool{}, varying: map[part]bool{}, dots: map[*value.Variable]bool{}}
	p.region = &flow.Region{Kind: flow.Loop, Label: label, Stmt: s}
	return p
}

func (l *lowering) forStmt(s *ast.ForStmt, label string) {
	if s.Init != nil {
		l.stmt(s.Init, nil, nil, false)
	}
	p := l.newLoop(s, label, s.Body)
	p.cond, p.post = s.Cond, s.Post
	if _, ok := l.Unroll[s]; ok {
		p.unrolled()
		return
	}
	p.countedFor(s)
	p.lower()
}

func (l *lowering) rangeStmt(s *ast.RangeStmt, label string) {
	t := l.TypeOf(s.X)
	if b, ok := gofile.BasicOf(t); !ok || value.GoTypes[b] == 0 || !value.GoTypes[b].IsInt() {
		l.rangeList(s, label)
		return
	}
	n := l.expr(s.X)
	if n.Kind != value.ScalarKind {
		l.unknownRange(s)
		return
	}
	p := l.newLoop(s, label, s.Body)
	p.counts, p.isGo, p.step = true, true, 1
	p.lo, p.hi = value.Value{Kind: value.ScalarKind, Basic: n.Basic, Known: true}, n
	if id, ok := s.Key.(*ast.Ident); ok && id.Name != "_" {
		if s.Tok == token.DEFINE {
			p.index = l.File.Info.Defs[id]
		} else {
			p.name = id
		}
	} else if s.Key != nil && !ok {
		l.assignTo(s.Key, value.Bad)
	}
	if _, ok := l.Unroll[s]; ok {
		p.unrolledRange()
		return
	}
	p.lower()
}

// unknownRange lowers the body of a range whose bound was refused, for its messages.
func (l *lowering) unknownRange(s *ast.RangeStmt) {
	rangeVariable(l, s, s.Key, value.Bad)
	rangeVariable(l, s, s.Value, value.Bad)
	r := &flow.Region{Kind: flow.Loop}
	l.Breakable(r, s.Pos(), func() {
		l.Breakable(&flow.Region{Kind: flow.Body, Of: r}, s.Pos(), func() { l.both(s.Body.List) })
	})
}

// lower lowers the loop as a For or a Loop.
func (p *loop) lower() {
	if p.l.Lane != nil {
		p.inLane()
		return
	}
	if p.rounds() == 0 {
		return
	}
	p.region.Mode = flow.Looping
	if p.counts {
		p.region.Mode = flow.Counting
	}
	p.l.Within(p.region, func() {
		p.hidden = nil
		if p.region.Mode == flow.Counting {
			p.lowerFor()
		} else {
			p.lowerLoop()
		}
	})
}

// lowerFor lowers a counting loop without jumps.
func (p *loop) lowerFor() {
	l, r := p.l, p.region
	outer, memo := l.Block, len(l.MemoLog)
	l.At(p.stmt.Pos())
	lo, hi := l.ScalarValue(p.asInt(p.lo)), l.ScalarValue(p.asInt(p.hi))
	b := &ir.Block{}
	i := l.Func.NewValue(op.None, ir.Scalar(dtype.Int64), l.File.Position(p.stmt.Pos()))
	b.Args = append(b.Args, i)
	l.Headers[i] = p.stmt
	if p.step > 0 && p.lo.Known && p.lo.Int() >= 0 || p.step < 0 && p.hi.Known && p.hi.Int() >= -1 {
		l.Nonneg[i] = true
	}
	inits := p.begin(b)
	memo = max(memo, len(l.MemoLog))
	l.Block, r.Block = b, b
	p.setIndex(value.Runtime(types.Int, i))
	p.round(flow.Nesting)
	if l.Flow.Kind == flow.Leaves {
		l.Simplify(l.Flow.To)
	}
	p.checkIndex(i)
	l.At(p.stmt.Pos())
	back := l.Yield(r)
	l.Forget(memo)
	l.Undo(r.Mark)
	p.checkWritten(back)
	p.goRound(back)
	l.Block = outer
	v := l.Emit(ir.For, ir.Type{}, append([]*ir.Value{lo, hi}, inits...)...)
	v.Index, v.Blocks = int(p.step), []*ir.Block{b}
	for _, a := range inits {
		v.Results = append(v.Results, a.Type)
	}
	p.after(v, back)
	l.Flow = flow.Flow{}
}

// asInt is a bound as the int64 that a For counts with.
func (p *loop) asInt(v value.Value) value.Value {
	if v.Basic == types.Int {
		return v
	}
	return p.l.Cast(v, types.Int)
}

// setIndex gives the loop's index its value for a round.
func (p *loop) setIndex(v value.Value) {
	l := p.l
	if p.lo.Basic != types.Int {
		v = l.Cast(v, p.lo.Basic)
	}
	switch {
	case p.name != nil:
		l.assignTo(p.name, v)
	case p.index == nil:
	case p.isGo:
		l.Declare(p.index, p.index.Name(), v, p.index.Pos())
	default:
		if x := l.Frame.Lookup(p.index); x != nil {
			l.Set(x, v, x.At)
		}
	}
}

// checkIndex lowers a three-clause loop again whose index was assigned after all, by
// a closure.
func (p *loop) checkIndex(i *ir.Value) {
	if p.isGo || p.index == nil {
		return
	}
	if x := p.l.Frame.Lookup(p.index); x != nil && x.Val.IR != i {
		p.counts = false
		p.l.Simplify(p.region)
	}
}

// round lowers the body once.
func (p *loop) round(m flow.Mode) {
	l := p.l
	r := &flow.Region{Kind: flow.Body, Mode: m, Label: p.region.Label, Of: p.region}
	r.Mark, r.Seq = p.region.Mark, p.region.Seq
	r.Post = func() { p.step1() }
	n := len(l.Regions)
	l.Regions = append(l.Regions, r)
	l.list(p.body.List, true)
	l.Regions = l.Regions[:n]
	if l.Flow == (flow.Flow{Kind: flow.Leaves, To: r}) {
		l.Flow = flow.Flow{}
	}
}

// step1 is what comes between two rounds.
func (p *loop) step1() {
	l := p.l
	if p.hidden != nil {
		l.At(p.stmt.Pos())
		l.Set(p.hidden, l.Apply(op.Add, types.Int, p.hidden.Val, value.Int(1)), p.stmt.Pos())
	}
	if p.post != nil {
		l.stmt(p.post, nil, nil, false)
	}
}

// lowerLoop lowers a loop that is left by a condition or jumps.
func (p *loop) lowerLoop() {
	l, r := p.l, p.region
	outer := l.Block
	cond := p.cond
	if p.isGo {
		p.hidden = l.Declare(nil, "the range", p.asInt(p.lo), p.stmt.Pos())
		r.Seq = l.Seq
		cond = nil
	}
	b := &ir.Block{}
	l.At(p.stmt.Pos())
	inits := p.begin(b)
	memo := len(l.MemoLog)
	l.Block, r.Block = b, b
	if p.isGo {
		p.test(l.Apply(op.Lt, types.Bool, p.hidden.Val, p.asInt(p.hi)), p.stmt.Pos())
		p.setIndex(p.hidden.Val)
	} else if cond != nil {
		l.Frame.Reads = l.Frame.Reads[:0]
		p.test(l.expr(cond), cond.Pos())
	}
	if l.Flow.Kind == flow.Falls {
		m := flow.Nesting
		if p.region.Jumps {
			m = flow.Jumping
		}
		p.round(m)
	}
	if l.Flow.Kind == flow.Falls {
		p.step1()
		l.At(p.stmt.Pos())
		l.GoRound(r, 0)
	}
	l.Forget(memo)
	p.checkWritten(append(append([]flow.Exit(nil), r.Backs...), r.Exits...)...)
	if l.Flow.Kind == flow.Leaves {
		l.Simplify(l.Flow.To)
	}
	l.Undo(r.Mark)
	for _, x := range r.Backs {
		p.goRound(x)
	}
	l.Block = outer
	l.Close(r, p.stmt.Pos(), inits)
}

// test leaves the loop unless its condition holds.
func (p *loop) test(cond value.Value, at token.Pos) {
	l := p.l
	if cond.Kind != value.ScalarKind { // refused: whatever follows is to be looked at
		l.Suspect(at)
		cond = value.Runtime(types.Bool, l.Constant(dtype.Bool, 1))
	}
	switch {
	case cond.Known && cond.Bool():
	case cond.Known:
		l.At(at)
		l.Leave(p.region)
	default:
		l.Branch(at, cond.IR, func(bool) {}, func(bool) { l.Leave(p.region) }, nil, false)
	}
}
