package host

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/tiler-go/tiler/repl/cell/box"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// TestStopAtOnce: what is told to stop before the interpreter has begun does not run on behind the prompt, and what
// runs next does not wait for it.
func TestStopAtOnce(t *testing.T) {
	h := New(Env{
		Boxes: box.New(nil, nil, nil, &sync.Mutex{}), Out: io.Discard, Err: io.Discard,
		Place: func(int) diag.Pos { return diag.Pos{} }, Note: func(text string) { t.Log(text) },
	})
	e := h.engine
	loop, err := e.i.Compile("for { }")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = e.watched(ctx, func(*run) {
		time.Sleep(10 * time.Millisecond)
		e.i.Execute(loop)
	})
	if spins := e.ending != nil; !errors.Is(err, context.Canceled) || spins {
		t.Errorf("got %v; it runs on: %v", err, spins)
	}
	ran := false
	if err := h.Do(t.Context(), func() {
		x, err := e.i.Eval("6 * 7")
		ran = err == nil && x.Int() == 42
	}); err != nil || !ran {
		t.Errorf("the next run ended with %v; it did its work: %v", err, ran)
	}
}

// TestShownByItsRun: what goes on although it was told to stop shows nothing, also when another cell runs.
func TestShownByItsRun(t *testing.T) {
	var shown []any
	h := New(Env{
		Boxes: box.New(nil, nil, nil, &sync.Mutex{}), Out: io.Discard, Err: io.Discard,
		Show: func(_ int, v *Value) { shown = append(shown, v.V) },
	})
	first := h.begin(func() {})
	h.Show(&first.line, 0, nil)
	if len(shown) != 1 {
		t.Fatal("a cell does not show its value")
	}
	first.halt(context.Canceled)
	h.Show(&first.line, 0, nil)
	second := h.begin(func() {})
	h.Show(&first.line, 0, nil)
	h.ShowAll(&first.line, 0, nil)
	if len(shown) != 1 {
		t.Error("a cell that was told to stop shows its value")
	}
	if h.Show(&second.line, 0, nil); len(shown) != 2 {
		t.Error("the cell behind it does not show its value")
	}
}
