// Package instance is the instance of a kernel that runs, as its code sees it, and what the code leaves to Go: its
// launch, the frame, and how it fails.
package instance

import (
	"sync/atomic"

	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Launch is what the instances of one launch share.
type Launch struct {
	Args  []ir.Arg
	Grid  [3]int
	Print func(program int, v *ir.Value, operands []ir.Printed)
	Stop  *atomic.Bool // set to end the launch early
	// Single makes every instance a part of its own, done by the code of one instance
	// even if the launch is one matrix product: for comparing instance by instance.
	Single bool
	// Exact runs one instance in the portable engine: what code gives up on before it
	// has done anything.
	Exact func(program int) *ir.Failure
}

// An Instance is one of a launch at a time. It owns the frame.
type Instance struct {
	frame.Frame
	Launch *Launch
}

// A Helper works on an instance's frame; a failure ends the instance.
type Helper func(w *Instance) *ir.Failure

// Begin puts a launch's arguments and grid into the frame.
func (w *Instance) Begin(l *Launch) {
	w.Launch = l
	for i := range l.Args {
		a, at := &l.Args[i], scalar.ArgOffset(i)
		if a.Mem.DType() == dtype.Invalid {
			w.Set(at, int64(a.Bits))
			continue
		}
		w.Set(at, int64(uintptr(a.Mem.Pointer())))
		w.Set(at+scalar.ArgSpan, int64(a.Mem.Len()))
		runs := scalar.ArgRuns(a)
		w.Set(at+scalar.ArgGaps, frame.Address(runs))
		if w.Set(at+scalar.ArgOwn, int64(a.Mem.Len())); runs != nil {
			w.Set(at+scalar.ArgOwn, 0)
		}
		w.Set(at+scalar.ArgStream, scalar.SizeFlags(a.Mem.Len()*a.Mem.DType().Size()))
	}
	for axis, n := range l.Grid {
		w.Set(scalar.OffNum+8*axis, int64(n))
	}
}

// GoTo makes an instance the current one.
func (w *Instance) GoTo(i int) {
	grid, x, y, z := &w.Launch.Grid, i, 0, 0
	if i >= grid[0] { // dividing takes as long as a small instance
		x, y, z = i%grid[0], i/grid[0]%grid[1], i/grid[0]/grid[1]
	}
	w.Set(scalar.OffRow, int64(i-x))
	w.Set(scalar.OffID, int64(x))
	w.Set(scalar.OffID+8, int64(y))
	w.Set(scalar.OffID+16, int64(z))
}

// Current is the number of the instance.
func (w *Instance) Current() int { return int(w.Word(scalar.OffRow) + w.Word(scalar.OffID)) }

// Failure is that of a value in a lane, at an element of a tensor.
func (w *Instance) Failure(v *ir.Value, lane int, offset int64) *ir.Failure {
	return &ir.Failure{Program: w.Current(), Value: v, Lane: lane, Offset: offset}
}
