package flow

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/live"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Flow says where control is after statements.
type Flow uint8

const (
	Falls Flow = iota // at the next statement
	Ended             // nowhere: the block has its terminator, or the function its result
)

// A Control is where a run goes: into branches and rounds of loops, which functions that it is given lower.
type Control struct {
	value.Emitter
	Live live.Reads              // what is read after a statement, in the functions lowered so far
	put  map[*ir.Value]*ir.Value // arguments of loops that turned out not to change
}

// NewControl is a run that begins.
func NewControl(e value.Emitter) Control {
	return Control{Emitter: e, put: map[*ir.Value]*ir.Value{}}
}

// Finish ends the Func.
func (l *Control) Finish() {
	l.Func.Replace(l.put)
	l.Func.Renumber()
}

// noteBehind has notes at the beginning of a block stand behind the first values of it, which have been
// put there.
func (l *Control) noteBehind(b *ir.Block, n int) {
	if n == 0 {
		return
	}
	for i := range l.Func.Notes {
		if z := &l.Func.Notes[i]; z.Block == b && z.After == nil {
			z.After = b.Values[n-1]
		}
	}
}

// Lost is what a variable holds that is not bound on all paths to here, or not alike.
type Lost struct {
	why string
	at  syntax.Pos
}

// Refuse is a message about a variable that holds it.
func (v Lost) Refuse(l *value.Place, name string) *diag.Diagnostic {
	return l.Refuse("%s %s", name, v.why).
		NoteAt(l.Frame.Pos(v.at), "that is at %s", diag.Here).
		Fix("give it a value of one dtype and shape before")
}
