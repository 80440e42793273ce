package exec_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// eyes writes down what an observer is told.
type eyes struct {
	told []string
	see  func(a *tl.Access)
}

func (e *eyes) tell(format string, args ...any) {
	e.told = append(e.told, fmt.Sprintf(format, args...))
}

func (e *eyes) Start(params []string, grid []int) { e.tell("start %v %v", params, grid) }
func (e *eyes) Begin(id []int, where func() diag.Pos) {
	e.tell("begin %v %v", id, where().IsValid())
}
func (e *eyes) End(err *exec.Error) { e.tell("end %v", err != nil) }
func (e *eyes) Access(a *tl.Access) {
	e.tell("%s %s %v", a.Op, a.Base.Name, a.Offsets)
	if e.see != nil {
		e.see(a)
	}
}
func (e *eyes) Decide(string, diag.Pos, tl.Mark, []*tl.Origin, tl.Sources) {}
func (e *eyes) Notice(tl.Notice)                                           {}

func fill(p *tl.Program, out tl.Ptr, BLOCK tl.Const) {
	tl.Store(out.Add(tl.Arange(0, BLOCK)).Add(p.ID(0)*BLOCK), p.ID(0))
}

// TestObserve: programs run in order, on the tensors themselves, and a failure ends them.
func TestObserve(t *testing.T) {
	out, e := tensor.Empty(tl.Int32, 5), &eyes{}
	err := exec.New(fill).With(exec.Options{Shuffle: 7}).Observe(context.Background(), e, exec.Grid{4}, out, 2)
	want := []string{
		"start [out BLOCK] [4]",
		"begin [0] false", "tl.Store out [0 1]", "end false",
		"begin [1] false", "tl.Store out [2 3]", "end false",
		"begin [2] false", "tl.Store out [4 5]", "end true",
	}
	if !slices.Equal(e.told, want) {
		t.Errorf("told\n%s", strings.Join(e.told, "\n"))
	}
	var failed *exec.Error
	if !errors.As(err, &failed) || failed.Program[0] != 2 {
		t.Errorf("got %v", err)
	}
	if got := out.Slice(0, 0, 4).Ints(); !slices.Equal(got, []int{0, 0, 1, 1}) {
		t.Errorf("out is %v", got)
	}
}

// TestObserveArguments: what keeps a launch from running keeps the observer from seeing it.
func TestObserveArguments(t *testing.T) {
	for _, args := range [][]any{{}, {1, 2}, {tensor.Virtual(tl.Int32, 1<<40), 2}} {
		e := &eyes{}
		if err := exec.New(fill).Observe(context.Background(), e, exec.Grid{4}, args...); err == nil || len(e.told) > 0 {
			t.Errorf("%v: error %v, told %v", args, err, e.told)
		}
	}
}

// TestObserveCancelled: a program that is told to stop ends without an End.
func TestObserveCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	e := &eyes{}
	e.see = func(*tl.Access) { cancel() }
	err := exec.New(fill).Observe(ctx, e, exec.Grid{1000}, tensor.Empty(tl.Int32, 2000), 2)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestObserveGaps: a store between the elements of a view fails, watched or not.
func TestObserveGaps(t *testing.T) {
	whole := tensor.Zeros(tl.Int32, 3, 3)
	err := exec.New(mark).Observe(context.Background(), &eyes{}, exec.Grid{1}, whole.Slice(1, 0, 1))
	if err == nil || !strings.Contains(err.Error(), "between the elements of this view") {
		t.Errorf("got %v", err)
	}
	if got := whole.Ints(); slices.Max(got) != 0 {
		t.Errorf("written: %v", got)
	}
}

func mark(p *tl.Program, out tl.Ptr) { tl.Store(out.Add(tl.Arange(0, 4)), 1) }
