package sanitizer

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/check/layout"
	"github.com/tiler-go/tiler/exec/check/shadow"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Setup is what a Checker must know of the launch it watches.
type Setup struct {
	ID     func(program int) []int            // a program's number as its place in the grid
	At     func(line int) diag.Pos            // where a line is that an interpreter has put into Program.Line
	Source func(file string, line int) string // a line of it; "" where it is not at hand
	Size   func(n int) string                 // the int parameter of a value; "" if there is none
	Wait   func()                             // lets other instances run; nil if there is but one at a time
}

// A Checker watches the program instances of one launch, one at a time.
type Checker struct {
	Setup

	seen
	running
	past      shadow.Order
	programs  []int // by instance-1: its number in the grid
	strange   []*Strange
	directing tl.Sources // what decides where programs go
	skipped   int        // programs that came to no access
	moves     int        // what instances did besides waiting
	updates   bool       // there were atomics
	done      func()
}

// seen is what the launch came to so far.
type seen struct {
	views   map[*tl.Base]*view
	ordered []*view
	regions []*region
	sites   map[siteKey]*site
	order   []*site // in order of first use
	found   map[foundKey]*found
	list    []*found // in order of first sight
}

// New is a Checker of a launch; Close ends it.
func New(s Setup) *Checker {
	none := seen{views: map[*tl.Base]*view{}, sites: map[siteKey]*site{}, found: map[foundKey]*found{}}
	return &Checker{Setup: s, seen: none, done: tl.Watching()}
}

// Close makes operations stop looking after marks.
func (c *Checker) Close() { c.done() }

// Pointer is a pointer parameter whose memory c watches. All pointers are to be made
// before the first instance.
func (c *Checker) Pointer(x *tensor.Tensor, name string, stop *atomic.Bool) tl.Ptr {
	ptr := tl.Watch(tl.PointerTo(x, name, stop), c, len(c.views))
	v := newView(ptr.Base(), c)
	c.views[ptr.Base()], c.ordered = v, append(c.ordered, v)
	return ptr
}

// Begin is called before each instance: the program's number in the grid, and what the
// kernel is given of it.
func (c *Checker) Begin(program int, p *tl.Program) {
	c.programs = append(c.programs, program)
	c.running = running{instance: uint32(len(c.programs)), program: p, idle: true, barriers: tl.Barriers()}
	c.past.Begin(c.instance)
}

// End is called after each instance that did not fail.
func (c *Checker) End() {
	if c.idle {
		if !c.came {
			c.skipped++
		}
		c.report(foundKey{kind: check.DeadLanes, extra: "program"}, diag.Pos{}, func(f *check.Finding) {
			f.Severity = check.Note
			f.Msg = fmt.Sprintf("program %s does nothing: it reads and writes no elements", check.Tuple(f.PID))
			f.Fix("launch fewer programs")
		})
	}
}

// pid is the place in the grid of an instance.
func (c *Checker) pid(instance uint32) []int { return c.ID(c.programs[instance-1]) }

// pos is where the kernel is: an interpreter of Go knows its line better than the stack.
func (c *Checker) pos(p diag.Pos) diag.Pos {
	if c.program != nil && c.program.Line > 0 {
		return c.At(c.program.Line)
	}
	return p
}

// A foundKey is what makes findings equal.
type foundKey struct {
	kind   check.Kind
	file   string
	line   int
	op     string
	tensor string
	extra  string
}

// A found is equal findings of several instances.
type found struct {
	check.Finding
	last  uint32       // instance that it was last seen in
	spans *layout.Rows // not nil: it is none if these are a sweep
}

// report counts a finding; fill says what it is when it is seen for the first time.
func (c *Checker) report(key foundKey, pos diag.Pos, fill func(f *check.Finding)) *found {
	pos = c.pos(pos)
	key.file, key.line = pos.File, pos.Line
	f := c.found[key]
	if f == nil {
		f = &found{Finding: check.Finding{Diagnostic: diag.Diagnostic{Pos: pos}, Kind: key.kind, Severity: check.Error,
			Op: key.op, Tensor: key.tensor}}
		f.PID = c.pid(c.instance)
		if c.Source != nil {
			f.Finding.Source = c.Source(pos.File, pos.Line)
		}
		fill(&f.Finding)
		c.found[key] = f
		c.list = append(c.list, f)
	}
	if f.last != c.instance {
		f.last = c.instance
		f.Programs++
	}
	return f
}

// Findings is what was found, in order of place.
func (c *Checker) Findings() []check.Finding {
	var r check.Report
	for _, f := range c.list {
		if f.spans == nil || !f.spans.Sweep() {
			r.Findings = append(r.Findings, f.Finding)
		}
	}
	r.Add(c.deadIterations()...)
	return r.Findings
}

// Fail reports that the running instance failed.
func (c *Checker) Fail(f *tl.Fault, zeroDivision bool) {
	kind := check.Fault
	switch {
	case zeroDivision || f.Kind == tl.DivisionFault:
		kind = check.DivByZero
	case f.Kind == tl.RangeFault:
		kind = check.Overflow
	case f.Kind == tl.AddressFault:
		kind = check.OutOfBounds
	}
	c.report(foundKey{kind: kind, op: f.Op, extra: "fault"}, f.Diag.Pos, func(g *check.Finding) {
		g.Msg, g.Notes, g.Fixes = f.Diag.Msg, f.Diag.Notes, f.Diag.Fixes
	})
}

// Endless reports that the running instance had to be ended.
func (c *Checker) Endless(pos diag.Pos) {
	c.report(foundKey{kind: check.Endless}, pos, func(f *check.Finding) {
		f.Msg = "the program does not end: it loops forever, or waits for another program, which may not start before this one ends"
	})
}

// Notice is what an operation has to say.
func (c *Checker) Notice(n tl.Notice) {
	kinds := map[tl.NoticeKind]check.Kind{tl.AboutType: check.DType, tl.AboutShape: check.NotPortable,
		tl.AboutRange: check.Overflow, tl.AboutSum: check.DType, tl.BrokenPromise: check.Promise}
	f := c.report(foundKey{kind: kinds[n.Kind], op: n.Op, extra: noticeKey(n)}, n.Pos, func(f *check.Finding) {
		f.Severity, f.Msg = check.Note, n.Op+": "+n.Text
		if n.Fix != "" {
			f.Fix("%s", n.Fix)
		}
		if n.Kind == tl.BrokenPromise {
			f.Severity = check.Error
		}
	})
	f.Lanes += n.Lanes
}

// noticeKey tells notices of one line apart, but for those that only differ in values.
func noticeKey(n tl.Notice) string {
	if n.Kind == tl.AboutType || n.Kind == tl.AboutShape {
		return n.Text
	}
	return "value"
}

// Decide reports a marked value that the program goes by.
func (c *Checker) Decide(op string, pos diag.Pos, m tl.Mark, from []*tl.Origin, data tl.Sources) {
	c.decided |= data
	c.directing |= data
	c.reach(m, from)
	if m&tl.Undefined != 0 {
		c.undefined(pos, op, "", "becomes a Go value, which may decide what the program does", 1, from)
	}
}

// undefined reports an undefined value where it does something.
func (c *Checker) undefined(pos diag.Pos, op, name, what string, lanes int, from []*tl.Origin) *found {
	f := c.report(foundKey{kind: check.Undefined, op: op, tensor: name, extra: what}, pos, func(f *check.Finding) {
		f.Msg = "an undefined value " + what
		for _, o := range from {
			if o.Mark&tl.Undefined != 0 {
				f.NoteAt(o.Pos, "it comes from %s at %s: %s", o.Op, diag.Here, o.Text)
			}
		}
		f.Fix("%s", c.undefinedHint(op, from))
	})
	f.Lanes += lanes
	return f
}

// undefinedHint is what to do about an undefined value that an op came upon.
func (c *Checker) undefinedHint(op string, from []*tl.Origin) string {
	for _, o := range from {
		switch {
		case o.Mark&tl.Undefined == 0:
		case o.Op == "BlockPtr.Load":
			return "have the block padded: " + paddedLoad(c.text(o.Pos))
		case strings.HasSuffix(o.Text, "never written"):
			return "write it first, or make the tensor with tensor.Zeros"
		}
	}
	if strings.HasPrefix(op, "tl.Atomic") {
		return "make the tensor with tensor.Zeros"
	}
	return "give the load an Other, or keep these lanes out of the computation: tl.Where(mask, x, 0)"
}

// text is a line of the kernel.
func (c *Checker) text(pos diag.Pos) string {
	if c.Source == nil {
		return ""
	}
	return c.Source(pos.File, pos.Line)
}

// reach makes what was misplaced an error, because it does something.
func (c *Checker) reach(m tl.Mark, from []*tl.Origin) {
	if m&tl.Misplaced == 0 {
		return
	}
	for _, o := range from {
		if f, ok := o.Data.(*found); ok && f.Severity == check.Note {
			f.Severity = check.Error
			f.Note("the value read there reaches an output")
		}
	}
}
