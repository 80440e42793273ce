// Package cell evaluates Go as it is typed at a prompt: cell by cell.
//
// A cell is declarations and statements. It passes through a pipeline before the
// interpreter sees any of it:
//
//	text ─ index sugar ─ parse ─ types ─ operator sugar ─ types ─ lower ─ interpret
//
// The type checker works on what earlier cells defined, kept as go/types objects, and
// on the packages of repl/symbols. Operators on tiles are rewritten to method calls
// when it has said which operands are tiles. Package lower turns the result into the
// Go that the interpreter gets right; eval.go is the one file that knows the
// interpreter.
//
// Functions, types and constants can be defined anew. What is made of them is then
// compiled anew too, and what no longer compiles is reported and out of force until it
// does. Variables keep their values; one that is defined again with another type is a
// new variable.
package cell

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/tiler-go/tiler/repl/lower"
	"github.com/tiler-go/tiler/repl/symbols"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// Options say where a session reads and writes. The zero value discards output.
type Options struct {
	In       io.Reader
	Out, Err io.Writer
	Show     func(v Value)                                // called with the value of an expression at the top of a cell
	Note     func(text string)                            // called with what the user should know, such as what was compiled anew
	Exit     func(code int)                               // what os.Exit does
	Args     []string                                     // what os.Args is
	Progress func(kernel string, done, total int)         // called now and then during a launch
	Launch   func(l *Launch) error                        // does what the program's launches do, in place of l.Run
	Command  func(ctx context.Context, line string) error // does a line of a script that begins with a colon
	Trace    func(stage, text string)                     // called with what the pipeline makes
}

// A Value is what an expression at the top of a cell evaluated to.
type Value struct {
	V    any        // without box
	Type types.Type // its static type, nil for the value nil
	Box  any        // V with its type, for printing
}

// A Session is the state that cells share. Its methods may be called from one
// goroutine at a time, except Stop.
type Session struct {
	opts      Options
	types     *symbols.Types
	pkg       *types.Package // of all cells
	world     *lower.World
	engine    *engine
	host      *host
	sources   []source
	live      map[string]*def
	methods   map[string]*def // by T.M
	seq       int
	log       []logged             // the statements of cells
	varIDs    map[types.Object]int // variables of cells, those that are one with one number
	varSerial int
	number    int         // cells so far
	show      func(Value) // what shows values now
	mu        sync.Mutex
}

// New is an empty session.
func New(o Options) *Session {
	if o.Out == nil {
		o.Out = io.Discard
	}
	if o.Err == nil {
		o.Err = o.Out
	}
	s := &Session{opts: o, show: o.Show, types: &symbols.Types{}, pkg: newPackage(), world: lower.NewWorld(), live: map[string]*def{}, methods: map[string]*def{}, varIDs: map[types.Object]int{}}
	s.host = newHost(s)
	s.engine = newEngine(s.host)
	s.world.Hooks = hooks
	return s
}

// Eval evaluates a cell of its own.
func (s *Session) Eval(ctx context.Context, src string) error {
	s.number++
	return s.EvalAt(ctx, fmt.Sprintf("cell %d", s.number), 1, src)
}

// EvalAt evaluates a cell that is part of a text of the given name, from a line on.
// The error is a diag.List, a *Failure, or the context's.
func (s *Session) EvalAt(ctx context.Context, name string, line int, src string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sources = append(s.sources, source{name: name, text: src, line: line})
	cell := len(s.sources) - 1
	for _, st := range stages(src) {
		if err := s.evalStage(ctx, cell, st); err != nil {
			return err
		}
	}
	s.sources[cell].done = true
	return nil
}

func (s *Session) evalStage(ctx context.Context, cell int, st stage) error {
	c, u, code, err := s.compile(cell, st)
	if err != nil {
		return err
	}
	if code == nil {
		return nil // nothing but imports and comments
	}
	s.trace("lowered", code.Text)
	if err := s.engine.compile(code); err != nil {
		s.world.Rollback()
		return s.bug(code, err)
	}
	c.logStmts(u)
	c.commit()
	return s.engine.run(ctx)
}

func (s *Session) trace(stage, text string) {
	if s.opts.Trace != nil {
		s.opts.Trace(stage, text)
	}
}

func (s *Session) note(format string, args ...any) {
	if s.opts.Note != nil {
		s.opts.Note(fmt.Sprintf(format, args...))
	}
}

// bug is an error of the interpreter about lowered code, which is never the user's.
func (s *Session) bug(code *lower.Code, err error) error {
	s.trace("refused", err.Error()+"\n"+code.Text)
	return diag.List{diag.At(diag.Pos{}, "this cell is valid Go, but the interpreter does not accept it: %v", err).
		Fix("write it in another way; as a program it runs with go run")}
}

// compile checks and lowers a cell, without changing the session's definitions. The
// code is nil if there is nothing to run.
func (s *Session) compile(cell int, st stage) (c *check, u *lower.Unit, code *lower.Code, err error) {
	defer func() {
		if v := recover(); v != nil { // a fault of ours costs the cell, not the session
			s.world.Rollback()
			s.trace("panic", fmt.Sprintf("%v\n%s", v, debug.Stack()))
			c, u, code, err = nil, nil, nil, s.bug(&lower.Code{}, fmt.Errorf("%v", v))
		}
	}()
	c, err = s.plan(cell, st).check()
	if err != nil {
		return nil, nil, nil, err
	}
	if len(c.decls) == 0 && c.body == nil || len(c.topStmts()) == 0 && allEmpty(c.decls) {
		return c, nil, nil, nil
	}
	u = c.unit()
	if list := u.Check(); len(list) > 0 {
		return nil, nil, nil, list
	}
	code, err = s.world.Lower(u)
	if err != nil {
		return nil, nil, nil, asList(err)
	}
	return c, u, code, nil
}

func (s *Session) plan(cell int, st stage) *plan {
	spans := func(items []item) (list []span) {
		for _, it := range items {
			list = append(list, span{cell, it.start, it.end})
		}
		return list
	}
	return &plan{s: s, cell: cell, decls: spans(st.decls), stmts: spans(st.stmts), broken: map[*def]error{}, stands: map[string]*types.Var{}}
}

func allEmpty(files []*ast.File) bool {
	for _, f := range files {
		if len(f.Decls) > 0 {
			return false
		}
	}
	return true
}

func asList(err error) error {
	if d, ok := err.(*diag.Diagnostic); ok {
		return diag.List{d}
	}
	return err
}

// A plan is the checks of one cell: the first finds out what of earlier cells must be
// compiled anew, the next includes that, until nothing is added.
type plan struct {
	s            *Session
	cell         int
	decls, stmts []span
	deps         []*def
	broken       map[*def]error        // what does not compile with this cell
	stands       map[string]*types.Var // variables that get another type
	again        map[string]bool       // types that must be declared anew
	alone        bool                  // what depends on the cell stays as it is
}

func (p *plan) check() (*check, error) {
	for range 50 {
		c := &check{s: p.s, cell: p.cell, fset: token.NewFileSet(), parts: map[*token.File]part{}, deps: p.deps, stands: p.stands, plan: p}
		if c.program() {
			c.programFile()
		} else {
			c.declarations(p.decls)
		}
		if len(p.stmts) > 0 {
			c.body = c.parse(p.cell, p.stmts, bodyPrefix, nil)
		}
		if len(c.errors) > 0 {
			return nil, c.errors
		}
		if again := c.addMethods(); again != "" {
			p.declareAgain(again)
			continue
		}
		c.types()
		if !p.alone && p.grow(c) {
			continue
		}
		own, retry := p.sortErrors(c)
		if retry {
			continue
		}
		if len(own) > 0 {
			return nil, c.messages(own)
		}
		if len(c.errors) > 0 {
			return nil, c.errors
		}
		return c, nil
	}
	panic("the definitions that depend on a cell do not settle")
}

// declareAgain adds a type of an earlier cell, with its methods, to the cell.
func (p *plan) declareAgain(name string) {
	if p.again == nil {
		p.again = map[string]bool{}
	}
	p.again[name] = true
}

// grow adds to the plan what depends on what the cell replaces; it reports whether
// there was anything to add.
func (p *plan) grow(c *check) bool {
	replaced, here := map[types.Object]bool{}, map[string]bool{}
	if len(p.decls) > 0 {
		names := declared(c.decls[:1])
		for name := range names {
			here[name] = true
			if d := p.s.live[name]; d != nil {
				replaced[d.obj] = true
			}
		}
		for _, d := range c.decls[0].Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				name := methodName(fn)
				here[name] = true
				if m := p.s.methods[name]; m != nil {
					replaced[m.obj] = true
				}
			}
		}
	}
	for name := range p.again {
		replaced[p.s.live[name].obj] = true
	}
	stands := len(p.stands)
	for _, v := range c.topVars() {
		here[v.Name()] = true
		d := p.s.live[v.Name()]
		if d == nil || d.kind == token.VAR && types.Identical(d.obj.Type(), v.Type()) {
			continue
		}
		replaced[d.obj] = true
		if p.stands[v.Name()] == nil && v.Type() != types.Typ[types.Invalid] && len(p.s.dependents(map[types.Object]bool{d.obj: true}, func(*def) bool { return false })) > 0 {
			p.stands[v.Name()] = types.NewVar(v.Pos(), c.pkg, v.Name(), v.Type())
		}
	}
	deps := p.s.dependents(replaced, func(d *def) bool { return here[d.name] || p.broken[d] != nil })
	for name := range p.again {
		deps = p.withType(deps, name, here)
	}
	deps = p.withBroken(deps, here)
	grown := len(deps) > len(p.deps) || len(p.stands) > stands
	if grown {
		p.deps = deps
	}
	return grown
}

// withType adds a type and its methods to the dependents.
func (p *plan) withType(deps []*def, name string, here map[string]bool) []*def {
	for _, d := range p.s.sorted() {
		if (d.name == name || d.typeName() == name) && !here[d.name] && !slices.Contains(deps, d) && p.broken[d] == nil {
			deps = append(deps, d)
		}
	}
	slices.SortFunc(deps, func(a, b *def) int { return a.seq - b.seq })
	return deps
}

// withBroken adds what did not compile so far and uses a name that the cell declares.
func (p *plan) withBroken(deps []*def, here map[string]bool) []*def {
	for _, d := range p.s.sorted() {
		if d.broken == nil || slices.Contains(deps, d) || here[d.name] || p.broken[d] != nil {
			continue
		}
		for o := range d.uses {
			if here[o.Name()] {
				deps = append(deps, d)
				break
			}
		}
	}
	return deps
}

// methodName is how definitions name a function or method.
func methodName(fn *ast.FuncDecl) string {
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		return receiverName(fn) + "." + fn.Name.Name
	}
	return strings.Replace(fn.Name.Name, methodSep, ".", 1)
}

// sortErrors separates the cell's own errors from those of dependents, which are
// taken out of the plan.
func (p *plan) sortErrors(c *check) (own []types.Error, retry bool) {
	top := map[token.Pos]bool{}
	for _, v := range c.topVars() {
		top[v.Pos()] = true
	}
	exprs := map[token.Pos]bool{}
	for _, s := range c.topStmts() {
		if e, ok := s.(*ast.ExprStmt); ok {
			exprs[e.Pos()] = true
			exprs[e.X.Pos()] = true
		}
	}
	for _, e := range c.errs {
		switch {
		case e.Soft && top[e.Pos] && strings.HasPrefix(e.Msg, "declared and not used"):
		case strings.HasSuffix(e.Msg, "is not used") && c.topExpr(e.Pos):
		case e.Soft && strings.Contains(e.Msg, "imported and not used") && !c.program():
		case c.parts[c.fset.File(e.Pos)].dep != nil:
			d := c.parts[c.fset.File(e.Pos)].dep
			if p.broken[d] == nil {
				p.broken[d] = c.message(e)
			}
			retry = true
		default:
			own = append(own, e)
		}
	}
	if len(own) > 0 {
		return own, false
	}
	if retry {
		p.deps = slices.DeleteFunc(slices.Clone(p.deps), func(d *def) bool { return p.broken[d] != nil })
	}
	return nil, retry
}

// topExpr reports whether a position is in an expression statement of the cell's top
// level, whose value need not be used.
func (c *check) topExpr(pos token.Pos) bool {
	for _, s := range c.topStmts() {
		if e, ok := s.(*ast.ExprStmt); ok && e.Pos() <= pos && pos <= e.End() {
			found := false
			ast.Inspect(e, func(n ast.Node) bool {
				if lit, ok := n.(*ast.FuncLit); ok && lit.Pos() <= pos && pos <= lit.End() {
					found = true
				}
				return true
			})
			return !found
		}
	}
	return false
}

// unit is what was checked, for the compiler.
func (c *check) unit() *lower.Unit {
	u := &lower.Unit{Info: c.info, Body: c.topStmts(), Show: map[*ast.ExprStmt]bool{}, Methods: map[*types.Func]*types.Func{}, Same: map[*types.Var]types.Object{}, Line: c.lineMark, Pos: c.position}
	for _, f := range c.decls {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			u.Funcs = append(u.Funcs, fn)
			if named := c.methods[fn]; named != nil {
				_, name, _ := strings.Cut(fn.Name.Name, methodSep)
				u.Methods[c.info.Defs[fn.Name].(*types.Func)] = methodOf(named, name)
			}
		}
	}
	u.Inits, u.Main = c.inits(u), c.main()
	for _, v := range slices.Concat(c.declVars(), c.topVars()) {
		u.Keep = append(u.Keep, v)
		old := c.s.live[v.Name()]
		if old == nil || old.kind != token.VAR || c.s.world.Name(old.obj) == "" {
			continue
		}
		if types.Identical(old.obj.Type(), v.Type()) {
			u.Same[v] = old.obj
		} else {
			u.Drop = append(u.Drop, old.obj)
		}
	}
	for name, stand := range c.stands {
		for _, v := range c.topVars() {
			if v.Name() == name {
				u.Same[stand] = v
				u.Stands = append(u.Stands, stand)
			}
		}
	}
	c.chooseShown(u)
	return u
}

// inits is how the variables that the cell declares get their first values.
func (c *check) inits(u *lower.Unit) []*types.Initializer {
	has := map[*types.Var]bool{}
	for _, init := range c.info.InitOrder {
		for _, v := range init.Lhs {
			has[v] = true
		}
	}
	for _, v := range c.declVars() {
		if !has[v] {
			u.Reset = append(u.Reset, v)
		}
	}
	return c.info.InitOrder
}

// declVars is the variables that the cell declares outside its statements.
func (c *check) declVars() (vars []*types.Var) {
	for _, f := range c.decls {
		if c.parts[c.fset.File(f.Package)].dep != nil {
			continue
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, spec := range g.Specs {
				for _, id := range spec.(*ast.ValueSpec).Names {
					if v, ok := c.info.Defs[id].(*types.Var); ok && id.Name != "_" {
						vars = append(vars, v)
					}
				}
			}
		}
	}
	return vars
}

// chooseShown shows the last statement if it is an expression, and others that do
// nothing but have a value.
func (c *check) chooseShown(u *lower.Unit) {
	for i, s := range u.Body {
		e, ok := s.(*ast.ExprStmt)
		if !ok {
			continue
		}
		_, call := ast.Unparen(e.X).(*ast.CallExpr)
		if i == len(u.Body)-1 && !c.quiet(e.X) || !call {
			u.Show[e] = true
		}
	}
}

// quiet reports whether an expression is a call whose results nobody looks at.
func (c *check) quiet(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := c.info.Uses[sel.Sel].(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == "fmt" && (strings.HasPrefix(f.Name(), "Print") || strings.HasPrefix(f.Name(), "Fprint"))
}

// commit puts the cell's definitions in force.
func (c *check) commit() {
	s := c.s
	for d, why := range c.plan.broken {
		if d.broken == nil {
			s.note("%s depends on what changed and no longer compiles: %v", d.name, why)
		}
		d.broken = why
	}
	var again []string
	for _, d := range c.deps {
		if d.kind == token.FUNC {
			again = append(again, d.name)
		}
	}
	c.record()
	for _, v := range c.topVars() {
		var o types.Object = v
		if stand := c.stands[v.Name()]; stand != nil {
			o = stand
		}
		s.define(&def{name: v.Name(), kind: token.VAR, obj: o})
	}
	if len(again) > 0 {
		s.note("compiled anew: %s", strings.Join(again, ", "))
	}
}

// Names is the names that are defined, sorted.
func (s *Session) Names() []string { return slices.Sorted(maps.Keys(s.live)) }
