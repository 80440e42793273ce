package exec

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/exec/variant"
)

// Verify says when the compiled code of a promoted kernel is tried against the
// interpreter before a launch uses it.
type Verify uint8

// The settings of Options.Verify.
const (
	First  Verify = iota // a specialisation's first launch, on some of its programs
	Always               // every launch
	Never                // no launch: Promote alone decides
)

// An Event is something that happened to a kernel: see Options.Trace.
type Event struct {
	Kernel string
	Stage  string // "compile", "trial", "promoted", "refused", "remembered", "launch"
	Text   string
	Took   time.Duration
}

func (e Event) String() string {
	s := fmt.Sprintf("%s: %s", e.Kernel, e.Stage)
	if e.Text != "" {
		s += ": " + e.Text
	}
	if e.Took > 0 {
		s += fmt.Sprintf(" (%v)", e.Took.Round(time.Microsecond))
	}
	return s
}

func (k *Kernel) trace(stage string, took time.Duration, format string, args ...any) {
	if k.opts.Trace != nil {
		k.opts.Trace(Event{k.fn.Name, stage, fmt.Sprintf(format, args...), took})
	}
}

// A State is how far a kernel has come.
type State struct {
	Kernel   string
	Promoted bool   // by Promote, or as reused from an earlier run
	Engine   string // that ran last; "" before the first launch
	Reason   string // why that was the interpreter, if another engine was asked for
	// Specialisations are what the kernel was compiled for, as far as they are kept: of very
	// many those that were used last.
	Specialisations []Specialisation
	Freed           int // how many are not kept any more
}

// A Specialisation is a kernel compiled for dtypes and compile-time values, in one
// engine.
type Specialisation = variant.Specialisation

// State is how far the kernel has come: which engine ran it last, and why not a
// faster one.
func (k *Kernel) State() State {
	s := State{Kernel: k.fn.Name}
	if k.usable() != nil {
		s.Reason = k.Err().Error()
		return s
	}
	s.Promoted = k.promoted.Load()
	s.Engine, s.Reason = k.state.get()
	s.Freed = k.variants.Freed()
	for _, v := range k.variants.All() {
		s.Specialisations = append(s.Specialisations, v.Specialisations(k.fn, k.use.Table)...)
	}
	return s
}

// String is the state in a few lines.
func (s State) String() string {
	var b strings.Builder
	switch {
	case s.Promoted && s.Engine != "" && s.Engine != interpreted:
		fmt.Fprintf(&b, "%s: promoted, runs on %s", s.Kernel, s.Engine)
	case s.Promoted:
		fmt.Fprintf(&b, "%s: promoted", s.Kernel)
	default:
		fmt.Fprintf(&b, "%s: interpreted", s.Kernel)
	}
	if s.Reason != "" {
		fmt.Fprintf(&b, "\n\t%s", strings.ReplaceAll(s.Reason, "\n", "\n\t"))
	}
	for _, z := range s.Specialisations {
		engine := z.Engine
		if engine == "" {
			engine = "not compiled"
		}
		if z.Ordered {
			engine += ", for overlapping arguments"
		}
		fmt.Fprintf(&b, "\n\t(%s) %s: %s", z.Args, engine, strings.ReplaceAll(z.Reason, "\n", "\n\t"))
	}
	if s.Freed > 0 {
		fmt.Fprintf(&b, "\n\tand %d that were not used for longest, and are no longer kept", s.Freed)
	}
	return b.String()
}

// stateNotes are what State tells of the last launch.
type stateNotes struct{ last atomic.Pointer[stateNote] }

type stateNote struct{ engine, reason string }

// set writes only what is new: launches of many goroutines say the same.
func (n *stateNotes) set(engine, reason string) {
	if s := n.last.Load(); s == nil || s.engine != engine || s.reason != reason {
		n.last.Store(&stateNote{engine, reason})
	}
}

func (n *stateNotes) get() (engine, reason string) {
	if s := n.last.Load(); s != nil {
		return s.engine, s.reason
	}
	return "", ""
}
