package tilelang

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/rule"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// A Program is one program instance of a launch.
type Program struct {
	// Line is the line of the kernel being executed, kept by interpreters of Go
	// source, which know it better than the stack does; 0 in compiled Go.
	Line int

	id, num [3]int
	out     *Output
}

// Output is where the programs of a launch print, one at a time.
type Output struct {
	mu sync.Mutex
	w  io.Writer
}

// NewOutput prints to w.
func NewOutput(w io.Writer) *Output { return &Output{w: w} }

var stdout = NewOutput(os.Stdout)

// NewProgram is instance id of a grid of num; axes that the grid does not have are
// of size 1. out may be nil for standard output.
func NewProgram(id, num [3]int, out *Output) *Program {
	if out == nil {
		out = stdout
	}
	return &Program{id: id, num: num, out: out}
}

// ID is this instance's place on a grid axis, 0 to 2.
func (p *Program) ID(axis int) int {
	checkAxis("p.ID", axis)
	return p.id[axis]
}

// Num is the grid's size on an axis, 0 to 2.
func (p *Program) Num(axis int) int {
	checkAxis("p.Num", axis)
	return p.num[axis]
}

func checkAxis(name string, axis int) {
	must(name, rule.GridAxis(axis))
}

// String is the instance's id: (1,0,0).
func (p *Program) String() string { return fmt.Sprintf("(%d,%d,%d)", p.id[0], p.id[1], p.id[2]) }

// Print prints values, tiles or Go scalars, once per instance, under a label and the
// instance's id.
func (p *Program) Print(label string, values ...any) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", p, label)
	for _, v := range values {
		s := fmt.Sprint(v)
		if strings.Contains(s, "\n") {
			b.WriteString("\n" + s)
		} else {
			b.WriteString(" " + s)
		}
	}
	b.WriteString("\n")
	p.out.mu.Lock()
	defer p.out.mu.Unlock()
	io.WriteString(p.out.w, b.String())
}

// Assert stops the launch where cond, a bool tile or Go bool, does not hold
// everywhere. It is on in every engine.
func (p *Program) Assert(cond any, label string, values ...any) {
	const name = "p.Assert"
	t := condition(name, "condition", cond)
	t.decides(name)
	b := t.elems()
	for i := range b.Len() {
		if b.Bits(i) != 0 {
			continue
		}
		f := fault(name, "%s", label).as(AssertionFault)
		if t.shape.N > 0 {
			f.Note("it does not hold at element %s of %s", shape.Index(t.shape.Place(i).Dims()), t.shape)
		}
		for _, v := range values {
			f.Note("%v", v)
		}
		f.raise()
	}
}

// Recover turns what a panicking kernel was recovered with into a fault: a Fault
// stays one; anything else is the kernel's own Go panic. Where this instance knows its
// line it is the fault's, in the given file.
func (p *Program) Recover(v any, file string) *Fault {
	f, ok := v.(*Fault)
	if !ok || f == nil || f.Diag == nil {
		f = &Fault{Op: "panic", Diag: diag.At(diag.Pos{}, "panic: %v", v)}
	}
	if p.Line > 0 {
		f.Diag.Pos = diag.Pos{File: file, Line: p.Line}
	}
	return f
}
