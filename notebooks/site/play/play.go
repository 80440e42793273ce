// Package play is the prompt behind messages: what the page's worker runs.
//
// A request is JSON with an operation and a number; the answers to it carry the number:
// what a cell shows as it comes, and at last how it ended. Pictures go over as data, lines
// of spans and grids of cells, and the page makes nodes of them: nothing that a kernel
// prints or is called ever becomes markup.
package play

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/tiler-go/tiler/repl"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/learn/puzzles"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/show"
	tl "github.com/tiler-go/tiler/tilelang"
)

// Pictures are as wide as a column of the page, and no session of many cells keeps more.
const columns, lines, mostText = 96, 40, 64 << 10

// A Request is what the page asks for.
type Request struct {
	ID     int    `json:"id"`
	Op     string `json:"op"`
	Name   string `json:"name"` // what positions in errors begin with, or a puzzle
	Text   string `json:"text"`
	Pos    int    `json:"pos"`    // in bytes of the text
	Number int    `json:"number"` // of a program
}

// An Answer is one of what a request is answered with. The last one is done.
type Answer struct {
	ID   int  `json:"id"`
	Done bool `json:"done,omitempty"`
	OK   bool `json:"ok,omitempty"`

	Text    string   `json:"text,omitempty"`    // what was printed
	Picture *Picture `json:"picture,omitempty"` // what was shown
	Remark  bool     `json:"remark,omitempty"`  // beside what was asked for
	Problem *Picture `json:"problem,omitempty"` // why it failed
	Right   *bool    `json:"right,omitempty"`   // what the judge says
	Took    float64  `json:"took,omitempty"`    // milliseconds

	Start      int         `json:"start,omitempty"`
	Candidates []Candidate `json:"candidates,omitempty"`
	Steps      *Steps      `json:"steps,omitempty"`
}

// A Candidate is what a word may become.
type Candidate struct {
	Text   string `json:"text"`
	Detail string `json:"detail"`
}

// A Server answers requests, one after the other.
type Server struct {
	emit    func(Answer)
	session *repl.Session
	id      int          // of the request that is being answered
	printed bytes.Buffer // and not sent yet
	sent    int
	value   any // that is about to be shown
	has     bool
}

// New is a server whose answers go to emit.
func New(emit func(Answer)) *Server {
	s := &Server{emit: emit}
	s.reset()
	return s
}

func (s *Server) reset() {
	s.session = repl.New(repl.Options{
		Out: s, Err: beside{s}, Args: []string{"tiler"},
		Size:    func() (int, int) { return columns, lines },
		Display: s.display,
		Shown:   func(v any) { s.value, s.has = v, true },
		Edit:    func(string) error { return errors.New("the cell itself is the editor here") },
	})
}

// beside is where remarks go. What a program prints to it is printed as all else.
type beside struct{ *Server }

// Write implements io.Writer: it is what cells print to. A cell that prints without end
// fills no page.
func (s *Server) Write(b []byte) (int, error) {
	if room := mostText - s.sent - s.printed.Len(); room > 0 {
		s.printed.Write(b[:min(len(b), room)])
		if len(b) >= room {
			s.printed.WriteString("\n… and more, which is not shown\n")
		}
	}
	return len(b), nil
}

func (s *Server) flush() {
	if s.printed.Len() > 0 {
		s.emit(Answer{ID: s.id, Text: s.printed.String()})
		s.sent += s.printed.Len()
		s.printed.Reset()
	}
}

func (s *Server) display(p picture.Picture, remark bool) {
	s.flush()
	q := asData(p)
	if s.has {
		q.Pointers = pointers(s.value)
		s.value, s.has = nil, false
	}
	s.emit(Answer{ID: s.id, Picture: q, Remark: remark})
}

// Handle answers a request in JSON.
func (s *Server) Handle(request []byte) {
	var r Request
	if err := json.Unmarshal(request, &r); err != nil {
		s.emit(Answer{Done: true, Problem: asData(show.Text(err.Error()))})
		return
	}
	s.id, s.sent, s.has = r.ID, 0, false
	last := Answer{ID: r.ID, Done: true, OK: true}
	began := time.Now()
	if err := s.do(r, &last); err != nil {
		last.OK = false
		if p, ok := s.session.Problem(err); ok {
			last.Problem = asData(p)
		}
	}
	s.flush()
	last.Took = float64(time.Since(began).Microseconds()) / 1000
	s.emit(last)
}

func (s *Server) do(r Request, last *Answer) error {
	ctx := context.Background()
	switch r.Op {
	case "reset":
		s.reset()
	case "run":
		return s.session.EvalAs(ctx, r.Name, r.Text)
	case "judge":
		return s.judge(ctx, r, last)
	case "complete":
		start, list := s.session.Complete(r.Text, min(r.Pos, len(r.Text)))
		last.Start = start
		for _, c := range list[:min(len(list), 200)] {
			last.Candidates = append(last.Candidates, Candidate{c.Text, c.Detail})
		}
	case "inspect":
		if p, ok := s.session.Inspect(r.Text, min(r.Pos, len(r.Text)), false); ok {
			last.Picture = asData(p)
		}
	case "step":
		steps, err := s.steps(ctx, r)
		last.Steps = steps
		return err
	default:
		return fmt.Errorf("there is no operation %q", r.Op)
	}
	return nil
}

// judge evaluates a cell that defines the kernel of a puzzle, in a session of its own.
func (s *Server) judge(ctx context.Context, r Request, last *Answer) error {
	p, err := puzzles.Course.Named(r.Name)
	if err != nil {
		return err
	}
	s.reset()
	s.session.Study(p)
	if err := s.session.EvalAs(ctx, "cell 1", r.Text); err != nil {
		return err
	}
	v := s.session.Verdicts()
	if len(v) == 0 {
		return fmt.Errorf("the cell defines no kernel %s\n\tfix: keep its name: %s", p.Name, p.Launch())
	}
	last.Right = &v[len(v)-1]
	return nil
}

// mostSteps is how many statements of a program are kept, and mostStepBytes how much of
// what they gave values to is.
const mostSteps, mostStepBytes = 400, 4 << 20

// Steps is what one program of a launch did.
type Steps struct {
	Kernel string `json:"kernel"`
	Number int    `json:"number"`
	Of     int    `json:"of"`
	ID     [3]int `json:"pid"`
	Grid   [3]int `json:"grid"`
	List   []Step `json:"list"`
	More   bool   `json:"more"` // there were more than are kept
}

// A Step is a statement, and the variables that it gave values to.
type Step struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Source string `json:"source"`
	Vars   []Var  `json:"vars"`
}

// A Var is a variable with its value.
type Var struct {
	Name    string   `json:"name"`
	Picture *Picture `json:"picture"`
}

var errEnough = errors.New("enough")

// steps is the statements of one program of a launch. What ends it before its end is the
// error, with what was done until then.
func (s *Server) steps(ctx context.Context, r Request) (*Steps, error) {
	out := &Steps{Number: r.Number, Grid: [3]int{1, 1, 1}, List: []Step{}}
	bytes := 0
	err := s.session.Steps(ctx, r.Text, r.Number, func(p *tl.Program, of int) {
		out.ID, out.Grid, out.Of = [3]int{p.ID(0), p.ID(1), p.ID(2)}, [3]int{p.Num(0), p.Num(1), p.Num(2)}, of
	}, func(st cell.Step, values []picture.Picture) error {
		step := Step{File: st.Pos.File, Line: st.Pos.Line, Source: st.Source, Vars: []Var{}}
		for i, v := range values {
			q := asData(v)
			q.Pointers = pointers(st.Values[i].V)
			bytes += q.size()
			step.Vars = append(step.Vars, Var{st.Names[i], q})
		}
		out.List = append(out.List, step)
		if out.More = len(out.List) >= mostSteps || bytes > mostStepBytes; out.More {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return out, err
}
