package random

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/tiler-go/tiler/exec/kerneltest"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A GoKernel is a random kernel in both its forms: text for the compiler, and a
// function that does the same for the interpreter.
type GoKernel struct {
	Text string // of a file; the kernel is called k
	Fn   func(p *tl.Program, x, y, h, z, q tl.Ptr, n, m int, f float64, b bool)
}

const goHead = `package k

import (
	"math"

	tl "github.com/tiler-go/tiler/tilelang"
)

const _ = math.Pi // it may call nothing else of the package

func k(p *tl.Program, x, y, h, z, q tl.Ptr, n, m int, f float64, b bool) {
`

// tensorLen is the number of elements of each tensor of a GoKernel.
const tensorLen = 256

// GoArgs makes the arguments of a GoKernel.
func GoArgs(seed uint64) (*kerneltest.World, []any) {
	w := &kerneltest.World{R: rand.New(rand.NewPCG(seed, 5))}
	var args []any
	for _, d := range []dtype.DType{dtype.Float32, dtype.Int32, dtype.Float16, dtype.Float32, dtype.Int32} {
		args = append(args, w.Add(d, tensorLen))
	}
	return w, append(args, w.R.IntN(40), w.R.IntN(9)-2, w.R.NormFloat64(), w.R.IntN(2) == 0)
}

// An env is the variables of a running kernel by name: int, float64, bool or tl.Tile.
type env struct {
	p    *tl.Program
	vars map[string]any
}

func (e *env) clone() *env {
	c := &env{e.p, make(map[string]any, len(e.vars))}
	for k, v := range e.vars {
		c.vars[k] = v
	}
	return c
}

// An expr is an expression of Go in both forms.
type expr struct {
	text string
	eval func(e *env) any
}

// A leave is how a statement ends what is around it.
type leave uint8

const (
	onward leave = iota
	breaks
	continues
	returns
)

// A stmt is a statement of Go in both forms.
type stmt func(e *env) leave

// goGen makes a kernel by running it: each expression is evaluated as it is made, for
// its type, and dropped if it is an error.
type goGen struct {
	r     *rand.Rand
	lines []string
	env   *env
	depth int // of blocks
	loops int // around
	names int
	left  int // statements to be made

	slices map[string]bool // variables that hold one, which are not copied
}

// Go is a random kernel, the same for equal seeds.
func Go(seed uint64) *GoKernel {
	g := &goGen{r: rand.New(rand.NewPCG(seed, 17)), left: 14, slices: map[string]bool{}}
	_, args := GoArgs(1)
	g.env = goEnv(tl.NewProgram([3]int{}, [3]int{2, 1, 1}, nil), args)
	body := g.block()
	body = append(body, g.store(), g.store())
	text := goHead + strings.Join(g.lines, "\n") + "\n}\n"
	return &GoKernel{Text: text, Fn: func(p *tl.Program, x, y, h, z, q tl.Ptr, n, m int, f float64, b bool) {
		e := &env{p, map[string]any{"x": x, "y": y, "h": h, "z": z, "q": q, "n": n, "m": m, "f": f, "b": b}}
		runAll(body, e)
	}}
}

func goEnv(p *tl.Program, args []any) *env {
	e := &env{p, map[string]any{}}
	for i, name := range []string{"x", "y", "h", "z", "q"} {
		e.vars[name] = pointerTo(args[i], name)
	}
	for i, name := range []string{"n", "m", "f", "b"} {
		e.vars[name] = args[5+i]
	}
	return e
}

func runAll(list []stmt, e *env) leave {
	for _, s := range list {
		if l := s(e); l != onward {
			return l
		}
	}
	return onward
}

// line writes a line of text, and gives its number in the file.
func (g *goGen) line(format string, args ...any) int {
	g.lines = append(g.lines, strings.Repeat("\t", g.depth+1)+fmt.Sprintf(format, args...))
	return strings.Count(goHead, "\n") + len(g.lines)
}

// at makes a statement of a line: failures name it.
func at(line int, s stmt) stmt {
	return func(e *env) leave {
		e.p.Line = line
		return s(e)
	}
}

// attempt evaluates an expression now; ok is false if it fails.
func (g *goGen) attempt(x expr) (v any, ok bool) {
	defer func() {
		if recover() != nil {
			v, ok = nil, false
		}
	}()
	v = x.eval(g.env)
	if t, isTile := v.(tl.Tile); isTile && (len(t.Shape()) > 3 || product(t.Shape()) > 1024) {
		return nil, false
	}
	return v, true
}

func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// block makes statements, in a scope of their own.
func (g *goGen) block() (list []stmt) {
	outer := g.env
	g.env = outer.clone()
	if g.depth == 0 {
		g.env = outer
	}
	for n := 2 + g.r.IntN(4); (n > 0 || g.depth == 0) && g.left > 0; n-- {
		g.left--
		if s := g.statement(); s != nil {
			list = append(list, s...)
		}
	}
	g.env = outer
	return list
}

func (g *goGen) statement() []stmt {
	switch k := g.r.IntN(20); {
	case k < 2 && g.depth < 3:
		return g.branch()
	case k < 4 && g.depth < 3 && g.loops < 2:
		return g.loop()
	case k < 5 && g.depth < 2:
		return g.choose()
	case k < 7:
		return []stmt{g.store()}
	case k < 10:
		return g.assign()
	case k == 10:
		return g.scalar()
	case k == 11:
		return g.march()
	case k == 12:
		return g.composite()
	}
	return g.declare()
}

func (g *goGen) name() string {
	g.names++
	return fmt.Sprintf("v%d", g.names)
}

// declare makes a variable of a new tile.
func (g *goGen) declare() []stmt {
	for range 8 {
		x := g.tile(2)
		v, ok := g.attempt(x)
		if !ok {
			continue
		}
		name := g.name()
		n := g.line("%s := %s", name, x.text)
		g.line("_ = %s", name)
		g.env.vars[name] = v
		return []stmt{at(n, func(e *env) leave { e.vars[name] = x.eval(e); return onward })}
	}
	return nil
}

// scalar makes a variable of a Go number.
func (g *goGen) scalar() []stmt {
	x := g.int(2)
	if g.r.IntN(3) == 0 {
		x = g.float(2)
	}
	return g.let(x)
}

// let makes a variable of an expression, if that has a value.
func (g *goGen) let(x expr) []stmt {
	v, ok := g.attempt(x)
	if !ok {
		return nil
	}
	name := g.name()
	n := g.line("%s := %s", name, x.text)
	g.line("_ = %s", name)
	g.env.vars[name] = v
	return []stmt{at(n, func(e *env) leave { e.vars[name] = x.eval(e); return onward })}
}

// assign gives a variable another value of its type.
func (g *goGen) assign() []stmt {
	name := g.pick(func(name string, v any) bool { return name[0] == 'v' })
	if name == "" {
		return nil
	}
	var x expr
	switch old := g.env.vars[name].(type) {
	case int:
		x = g.int(2)
	case float64:
		x = g.float(2)
	case tl.Tile:
		if old.DType().IsPointer() {
			k := g.int(1)
			x = expr{fmt.Sprintf("%s.Add(%s)", name, k.text), func(e *env) any { return e.vars[name].(tl.Tile).Add(k.eval(e)) }}
			break
		}
		y := g.binary(variable(name), 1)
		d := old.DType()
		x = expr{fmt.Sprintf("%s.To(%s)", y.text, dtypeText(d)), func(e *env) any { return y.eval(e).(tl.Tile).To(d) }}
		if v, ok := g.attempt(x); !ok || fmt.Sprint(v.(tl.Tile).Shape()) != fmt.Sprint(old.Shape()) {
			return nil
		}
	default:
		return nil
	}
	v, ok := g.attempt(x)
	if !ok {
		return nil
	}
	n := g.line("%s = %s", name, x.text)
	g.env.vars[name] = v
	return []stmt{at(n, func(e *env) leave { e.vars[name] = x.eval(e); return onward })}
}

// march makes a variable of pointers.
func (g *goGen) march() []stmt {
	base := []string{"x", "y", "h"}[g.r.IntN(3)]
	x := g.offsets()
	return g.let(expr{fmt.Sprintf("%s.Add(%s)", base, x.text), func(e *env) any { return e.vars[base].(tl.Tile).Add(x.eval(e)) }})
}

// pick is a variable that fits, or "".
func (g *goGen) pick(fits func(name string, v any) bool) string {
	names := make([]string, 0, len(g.env.vars))
	for _, name := range sortedKeys(g.env.vars) {
		if fits(name, g.env.vars[name]) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return names[g.r.IntN(len(names))]
}

func variable(name string) expr {
	return expr{name, func(e *env) any { return e.vars[name] }}
}
