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
// Go that the interpreter gets right, and package host runs it: its eval.go is the one
// file that knows the interpreter.
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

	"github.com/tiler-go/tiler/repl/cell/box"
	"github.com/tiler-go/tiler/repl/cell/host"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/cell/sugar"
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
	Step     func(st Step) error                          // called after each statement of a kernel; an error ends the run
	Command  func(ctx context.Context, line string) error // does a line of a script that begins with a colon
	Trace    func(stage, text string)                     // called with what the pipeline makes

	AutoImport bool // packages of the standard library are imported when a cell first uses them
}

// What a session hands to its owner when programs run is of package host.
type (
	Box       = box.Box
	Value     = host.Value
	Launch    = host.Launch
	Step      = host.Step
	Failure   = host.Failure
	ExitError = host.ExitError
)

// A Session is the state that cells share. Its methods may be called from one
// goroutine at a time, except Stop.
type Session struct {
	opts      Options
	types     *symbols.Types
	pkg       *types.Package // of all cells
	world     *lower.World
	host      *host.Host
	sources   []source
	live      map[string]*def
	methods   map[string]*def // by T.M
	seq       int
	log       []logged             // the statements of cells
	varIDs    map[types.Object]int // variables of cells, those that are one with one number
	varSerial int
	number    int         // cells so far
	shows     int         // values that the cell has shown
	ans       answer      // the value that was shown last
	capturing bool        // what is evaluated is no cell
	show      func(Value) // what shows values now
	mu        sync.Mutex
	state     sync.RWMutex // what goroutines of earlier cells read, while a cell is compiled; free while one runs
}

// lock begins what changes the session's definitions. While the interpreter runs other
// goroutines may read them.
func (s *Session) lock() {
	s.mu.Lock()
	s.state.Lock()
}

func (s *Session) unlock() {
	s.state.Unlock()
	s.mu.Unlock()
}

// read calls what reads the definitions, on a goroutine of the program.
func (s *Session) read(what func()) {
	s.state.RLock()
	defer s.state.RUnlock()
	what()
}

// New is an empty session.
func New(o Options) *Session {
	if o.Out == nil {
		o.Out = io.Discard
	}
	if o.Err == nil {
		o.Err = o.Out
	}
	s := &Session{opts: o, show: o.Show, pkg: newPackage()}
	s.begin()
	return s
}

// begin forgets everything.
func (s *Session) begin() {
	s.types, s.world = &symbols.Types{}, lower.NewWorld()
	s.world.Hooks = host.Hooks
	s.host = host.New(s.env())
	s.log, s.varIDs, s.ans = nil, map[types.Object]int{}, answer{}
	s.sources, s.live, s.methods, s.seq, s.number = nil, map[string]*def{}, map[string]*def{}, 0, 0
}

// Eval evaluates a cell of its own.
func (s *Session) Eval(ctx context.Context, src string) error {
	s.number++
	return s.EvalTyped(ctx, fmt.Sprintf("cell %d", s.number), 1, src)
}

// EvalTyped evaluates a cell as EvalAt does, but one that somebody typed: what begins
// a comment may have been meant as a division.
func (s *Session) EvalTyped(ctx context.Context, name string, line int, src string) error {
	if err := s.floorDiv(source{name: name, text: src, line: line}); err != nil {
		return err
	}
	return s.EvalAt(ctx, name, line, src)
}

// EvalAt evaluates a cell that is part of a text of the given name, from a line on.
// The error is a diag.List, a *Failure, or the context's.
func (s *Session) EvalAt(ctx context.Context, name string, line int, src string) error {
	s.lock()
	defer s.unlock()
	s.sources = append(s.sources, source{name: name, text: src, line: line})
	cell := len(s.sources) - 1
	s.shows = 0
	for _, st := range scan.Stages(src) {
		if err := s.evalStage(ctx, cell, st); err != nil {
			return err
		}
	}
	s.sources[cell].done = true
	return nil
}

func (s *Session) evalStage(ctx context.Context, cell int, st scan.Stage) error {
	if err := s.makeAns(slices.Concat(st.Decls, st.Stmts)); err != nil {
		return err
	}
	c, u, code, err := s.compile(cell, st)
	if err != nil {
		return err
	}
	if code == nil {
		return nil // nothing but imports and comments
	}
	s.trace("lowered", code.Text)
	if err := s.host.Compile(code); err != nil {
		s.world.Rollback()
		return s.bug(code, err)
	}
	c.logStmts(u)
	c.commit()
	return s.run(func() error { return s.host.Execute(ctx) })
}

// run calls what runs the interpreter. While it runs other goroutines may read the session's definitions.
func (s *Session) run(what func() error) error {
	s.state.Unlock()
	defer s.state.Lock()
	return what()
}

// env is what the host of the session's programs is told.
func (s *Session) env() host.Env {
	return host.Env{
		Boxes: box.New(s.world, s.types, s.pkg, s.state.RLocker()),
		In:    s.opts.In, Out: s.opts.Out, Err: s.opts.Err, Args: s.opts.Args,
		Place: s.markPos, Text: s.text, Show: s.shown,
		Source: func(code string) (k host.Source) {
			s.read(func() { k = s.sourceOf(code) })
			return k
		},
		Note: func(text string) { s.note("%s", text) },
		Exit: s.opts.Exit, Progress: s.opts.Progress, Launch: s.opts.Launch, Step: s.opts.Step,
	}
}

// shown hands the result of a statement to the session's owner. It is nil for an error that is nil.
func (s *Session) shown(result int, v *Value) {
	if result == 0 {
		s.shows++
	}
	if v == nil {
		return
	}
	var show func(Value)
	s.read(func() { show = s.show })
	if show != nil {
		show(*v)
	}
	if result == 0 {
		s.answered(*v)
	}
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
		Fix("rewrite it, or run it as a program with go run")}
}

// compile checks and lowers a cell, without changing the session's definitions. The
// code is nil if there is nothing to run.
func (s *Session) compile(cell int, st scan.Stage) (c *check, u *lower.Unit, code *lower.Code, err error) {
	defer func() {
		if v := recover(); v != nil { // a fault of ours costs the cell, not the session
			s.world.Rollback()
			s.trace("panic", fmt.Sprintf("%v\n%s", v, debug.Stack()))
			c, u, code, err = nil, nil, nil, s.bug(&lower.Code{}, fmt.Errorf("%v", v))
		}
	}()
	p := s.plan(cell, st)
	p.imports = s.opts.AutoImport
	c, err = p.check()
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

func (s *Session) plan(cell int, st scan.Stage) *plan {
	spans := func(items []scan.Item) (list []span) {
		for _, it := range items {
			list = append(list, span{cell, it.Start, it.End})
		}
		return list
	}
	return &plan{s: s, cell: cell, decls: spans(st.Decls), stmts: spans(st.Stmts), broken: map[*def]error{}, stands: map[string]*types.Var{}}
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

// methodName is how definitions name a function or method.
func methodName(fn *ast.FuncDecl) string {
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		return receiverName(fn) + "." + fn.Name.Name
	}
	return strings.Replace(fn.Name.Name, methodSep, ".", 1)
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
	u := &lower.Unit{Info: c.info, Body: c.topStmts(), Show: map[*ast.ExprStmt]bool{}, Methods: map[*types.Func]*types.Func{}, Variables: lower.Variables{Same: map[*types.Var]types.Object{}}, Line: c.lineMark, Pos: c.position}
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
	for name, stand := range c.plan.stands {
		for _, v := range c.topVars() {
			if v.Name() == name {
				u.Same[stand] = v
				u.Stands = append(u.Stands, stand)
			}
		}
	}
	c.chooseShown(u)
	if c.s.opts.Step != nil {
		u.Told = c.kernels()
	}
	return u
}

// kernels is the kernels among what is declared.
func (c *check) kernels() map[*types.Func]bool {
	found := map[*types.Func]bool{}
	for _, f := range c.decls {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil {
				continue
			}
			if o, ok := c.info.Defs[fn.Name].(*types.Func); ok && sugar.IsKernelFunc(o) {
				found[o] = true
			}
		}
	}
	return found
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
	for _, d := range c.plan.deps {
		if d.kind == token.FUNC {
			again = append(again, d.name)
		}
	}
	c.record()
	for _, v := range c.topVars() {
		var o types.Object = v
		if stand := c.plan.stands[v.Name()]; stand != nil {
			o = stand
		}
		s.define(&def{name: v.Name(), kind: token.VAR, obj: o})
	}
	if len(again) > 0 {
		s.note("recompiled: %s", strings.Join(again, ", "))
	}
}

// Names is the names that are defined, sorted.
func (s *Session) Names() []string { return slices.Sorted(maps.Keys(s.live)) }

// Launches is the last launch of each kernel, the latest last.
func (s *Session) Launches() []*Launch {
	return s.host.Kernels.Latest()
}

// markPos is the place that a mark of lowered code stands for.
func (s *Session) markPos(mark int) (pos diag.Pos) {
	s.read(func() {
		if cell := mark>>lineBits - 1; cell >= 0 && cell < len(s.sources) {
			pos = diag.Pos{File: s.sources[cell].name, Line: mark & (1<<lineBits - 1)}
		}
	})
	return pos
}
