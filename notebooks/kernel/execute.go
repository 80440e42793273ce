package kernel

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/repl"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/show"
)

// Pictures are as wide as a notebook's outputs.
const columns, lines = 110, 40

func (k *kernel) newSession() *repl.Session {
	return repl.New(repl.Options{
		In: k.in, Out: k.out.stdout(), Err: k.out.stderr(), Args: []string{"tiler"}, Learned: k.o.Learned,
		Size:    func() (int, int) { return columns, lines },
		Display: k.out.display, Progress: k.out.progress,
		Edit: func(string) error {
			return errors.New("there is no editor in a notebook\n\tfix: ??NAME prints a definition, to be copied into a cell")
		},
	})
}

type executeRequest struct {
	Code        string            `json:"code"`
	Silent      bool              `json:"silent"`
	Store       *bool             `json:"store_history"` // nil means true
	Expressions map[string]string `json:"user_expressions"`
	AllowStdin  bool              `json:"allow_stdin"`
	StopOnError *bool             `json:"stop_on_error"` // nil means true
}

// executeReply is the answer of a cell that did not fail.
type executeReply struct {
	Status      string         `json:"status"`
	Count       int            `json:"execution_count"`
	Payload     []any          `json:"payload"`
	Expressions map[string]any `json:"user_expressions"`
}

// executeProblem is the answer of one that did.
type executeProblem struct {
	problem
	Count int `json:"execution_count"`
}

// execute evaluates a cell.
func (k *kernel) execute(m request, r executeRequest) any {
	stored := !r.Silent && (r.Store == nil || *r.Store)
	name := "In[*]"
	if stored && strings.TrimSpace(r.Code) != "" {
		k.count++
		name = fmt.Sprintf("In[%d]", k.count)
		k.history.add(k.count, r.Code)
	}
	if !r.Silent {
		k.publish(m.header, "execute_input", map[string]any{"code": r.Code, "execution_count": k.count})
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	k.running(stop)
	k.out.begin(m.header, r.Silent)
	k.in.begin(ctx, k.codec, m, r.AllowStdin)
	err := k.session.EvalAs(ctx, name, r.Code)
	interrupted := ctx.Err() != nil
	k.in.end()
	k.running(nil)
	k.result(m, r.Silent)
	if _, untold := k.session.Problem(err); !untold && !interrupted { // a check has found something: its report is the cell's answer
		return executeReply{"ok", k.count, k.payload(), k.expressions(r.Expressions)}
	}
	p := k.problem(err, interrupted)
	if !r.Silent {
		k.publish(m.header, "error", p)
	}
	if r.StopOnError == nil || *r.StopOnError {
		k.abort = len(k.waiting)
	}
	return executeProblem{p, k.count}
}

// result publishes what the cell showed last.
func (k *kernel) result(m request, silent bool) {
	p := k.out.finish()
	if p == nil || silent {
		return
	}
	d := displayed(*p)
	d.Count = k.count
	k.history.shown(k.count, d.Data["text/plain"])
	k.publish(m.header, "execute_result", d)
}

// payload is what the client is asked to do: to leave, after :quit.
func (k *kernel) payload() []any {
	if _, done := k.session.Done(); done {
		return []any{map[string]any{"source": "ask_exit", "keepkernel": false}}
	}
	return []any{}
}

// expressions is the values of expressions that a client wants with a cell's answer.
func (k *kernel) expressions(list map[string]string) map[string]any {
	values := map[string]any{}
	for name, expr := range list {
		p, err := k.session.Expression(context.Background(), expr)
		if err != nil {
			values[name] = k.problem(err, false)
			continue
		}
		values[name] = map[string]any{"status": "ok", "data": bundle(p), "metadata": map[string]any{}}
	}
	return values
}

// problem is what is wrong with a cell.
func (k *kernel) problem(err error, interrupted bool) problem {
	p, _ := k.session.Problem(err)
	var panicked *cell.Failure
	name := "Error"
	switch {
	case interrupted:
		name, p = "Interrupted", show.Text("interrupted")
	case errors.As(err, &panicked):
		name = "Panic"
	}
	first, _, _ := strings.Cut(p.String(), "\n")
	return problem{"error", name, first, strings.Split(strings.TrimRight(p.ANSI(false), "\n"), "\n")}
}
