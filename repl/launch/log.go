package launch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/screen"
	"github.com/tiler-go/tiler/repl/show"
)

// A Log runs the launches of a session's cells and knows which there were.
type Log struct {
	screen  *screen.Screen
	trace   string      // "on", "off" or "cells"
	tracing atomic.Bool // launches are reported

	mu    sync.Mutex
	began time.Time      // when the first of those that are running did
	depth int            // how many are running
	cell  string         // what the cell's last launch did, if it went well
	heard []*exec.Report // of the cell's checks, that it did not show
	good  []*cell.Launch // the last of each kernel, the latest last; what could not begin is none
}

// NewLog is a log of no launches.
func NewLog(s *screen.Screen) *Log { return &Log{screen: s, trace: "off"} }

// note remembers a launch that began, whatever became of it.
func (l *Log) note(x *cell.Launch, err error) {
	var failed *exec.Error
	if err != nil && !errors.As(err, &failed) || x.Kernel.Err() != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.good = append(slices.DeleteFunc(l.good, func(o *cell.Launch) bool { return o.Name() == x.Name() }), x)
}

// NewCell says that another cell begins.
func (l *Log) NewCell() { l.did("", nil) }

// did notes what a launch of the cell did: "" if it did not go well, or was none.
func (l *Log) did(text string, r *exec.Report) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cell = text
	if r != nil {
		l.heard = append(l.heard, r)
	}
}

// last is what the cell's last launch did.
func (l *Log) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cell
}

// Shown takes a report out of those that the cell did not show.
func (l *Log) Shown(r *exec.Report) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = slices.DeleteFunc(l.heard, func(u *exec.Report) bool { return u == r })
}

// unseen hands out the reports that the cell did not show.
func (l *Log) unseen() []*exec.Report {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.heard
	l.heard = nil
	return list
}

// Forget forgets all launches.
func (l *Log) Forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.good = nil
}

// Launches is the last launch of each kernel, the latest last.
func (l *Log) Launches() []*cell.Launch {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.good)
}

func (l *Log) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.depth == 0 {
		l.began = time.Now()
	}
	l.depth++
}

func (l *Log) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.depth--
}

func (l *Log) running() (since time.Time, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.began, l.depth > 0
}

// Run does what a launch of the session's code does, and says so if it is asked to.
func (l *Log) Run(x *cell.Launch) error {
	l.begin()
	start := time.Now()
	err := x.Run()
	took := time.Since(start)
	l.end()
	l.note(x, err)
	text := traced(x, took, err)
	l.screen.EndProgress(text)
	if l.tracing.Load() {
		l.screen.Say(show.Aside(text))
	}
	if err != nil || !strings.HasPrefix(x.Op, "Launch") {
		text = ""
	}
	l.did(text, x.Report)
	return err
}

// verbs is what stands before a launch that more is done with.
var verbs = map[string]string{"Check": "check of ", "Promote": "promotion of "}

// traced is what a launch did.
func traced(l *cell.Launch, took time.Duration, err error) string {
	state := l.Kernel.State()
	engine := state.Engine
	if engine == "" {
		engine = "interpreted"
	}
	verb := verbs[strings.TrimSuffix(l.Op, "Context")]
	text := fmt.Sprintf("%s%s on %s: %s, %s", verb, l.Name(), GridText(l.Grid), engine, show.Seconds(took.Seconds()))
	if err != nil {
		text += ", failed"
	} else if state.Reason != "" && !state.Promoted {
		text += " (" + state.Reason + ")"
	}
	return text
}

// Tell says what the checks of a cell found, as far as it did not show it: a clean
// report in brief, a failed one in full.
func (l *Log) Tell() {
	for _, r := range l.unseen() {
		p := show.Report(r)
		if r.OK {
			p = show.Verdict(r)
		}
		l.screen.Say(p)
	}
}

// TellLast says what the cell's last launch did, if it was not reported; false if that went wrong, or there was none.
func (l *Log) TellLast() bool {
	last := l.last()
	if last != "" && !l.tracing.Load() {
		l.screen.Say(show.Aside(last))
	}
	return last != ""
}

// Trace changes what is reported, as :trace is told to; false if it cannot be that.
func (l *Log) Trace(arg string) bool {
	switch {
	case arg == "on", arg == "" && l.trace == "off":
		l.trace = "on"
		l.screen.Note("each launch is reported; :trace off stops that")
	case arg == "off", arg == "":
		l.trace = "off"
		l.screen.Note("launches are not reported")
	case arg == "cells":
		l.trace = "cells"
		l.screen.Note("each cell is shown as it is interpreted, and each launch is reported")
	default:
		return false
	}
	l.tracing.Store(l.trace != "off")
	return true
}

// TraceCell is told what becomes of a cell.
func (l *Log) TraceCell(stage, text string) {
	if l.trace == "cells" {
		l.screen.Say(show.Aside(stage + ":\n" + strings.TrimRight(text, "\n")))
	}
}

// GridText is a grid as it is told.
func GridText(g exec.Space) string {
	if g, ok := g.(exec.Grid); ok {
		return show.Dims(g)
	}
	return "its grid"
}

// Progress is told how far a launch is.
func (l *Log) Progress(kernel string, done, total int) {
	began, running := l.running()
	took := time.Since(began)
	if !l.screen.Patient() || !running || took < time.Second {
		return
	}
	if kernel == "" {
		kernel = "launch"
	}
	left := time.Duration(float64(took) / float64(max(done, 1)) * float64(total-done))
	l.screen.ShowProgress(fmt.Sprintf("%s: %d of %d programs, %v, %v left", kernel, done, total, tenths(took), tenths(left)))
}

func tenths(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }

// Patiently runs something that may take long, and says so after a second.
func (l *Log) Patiently(what string, run func() error) error {
	l.begin()
	defer l.end()
	done, quiet := make(chan struct{}), make(chan struct{})
	start := time.Now()
	go func() {
		defer close(quiet)
		for l.screen.Patient() {
			select {
			case <-done:
				return
			case <-time.After(200 * time.Millisecond):
			}
			if took := time.Since(start); took > time.Second {
				l.screen.ShowProgress(fmt.Sprintf("%s: %v", what, tenths(took)))
			}
		}
	}()
	err := run()
	close(done)
	<-quiet
	l.screen.EndProgress(fmt.Sprintf("%s: %v", what, tenths(time.Since(start))))
	return err
}

// Said reports whether a report has said what an error says.
func Said(r *exec.Report, err error) bool {
	p := r.Problem()
	return p != nil && p.Error() == err.Error()
}
