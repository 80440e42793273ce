package exec_test

import (
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// TestOneWorker: with one worker programs run one after the other, however long one takes.
func TestOneWorker(t *testing.T) {
	t.Parallel() // it waits
	kernel := func(p *tl.Program, count, tickets tl.Ptr) {
		if p.ID(0) == 1 {
			time.Sleep(1200 * time.Millisecond) // longer than launches of free workers wait for one to end
		}
		tl.Store(tickets.Add(p.ID(0)), tl.AtomicAdd(count, 1))
	}
	tickets := tensor.Zeros(tl.Int32, 4)
	if err := exec.New(kernel, exec.Options{Workers: 1}).Launch(exec.Grid{4}, tensor.Zeros(tl.Int32, 1), tickets); err != nil {
		t.Fatal(err)
	}
	if want := tensor.Arange(tl.Int32, 0, 4); !tensor.Equal(tickets, want) {
		t.Errorf("got %v, want %v", tickets, want)
	}
}
