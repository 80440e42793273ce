package launch

import (
	"fmt"
	"reflect"
	"time"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// CallReference runs a reference on tensors in place of the pointers.
func CallReference(fn reflect.Value, args []any, xs []*tensor.Tensor) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the reference panicked: %v", v)
		}
	}()
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		if x := xs[i]; x.IsNone() {
			a = (*tensor.Tensor)(nil)
		} else if x != nil {
			a = x
		}
		in[i] = converted(a, fn.Type().In(i))
	}
	fn.Call(in)
	return nil
}

// compare runs the reference and compares every output with its own.
func (k *Kernel) compare(r *check.Report, w *watched) {
	start := time.Now()
	defer func() { r.Times.Reference += time.Since(start) }()
	for _, x := range w.copies {
		if x != nil && x.IsVirtual() {
			return
		}
	}
	if r.Ran < r.Programs {
		return
	}
	want := Copies(w.original)
	if err := CallReference(*k.Against, w.original, want); err != nil {
		r.Add(check.Finding{Kind: check.Reference, Severity: check.Error, Diagnostic: diag.Diagnostic{Msg: err.Error()}})
		return
	}
	for i, y := range want {
		if y == nil || !w.written(i) && tensor.Equal(y, w.original[i].(*tensor.Tensor)) {
			continue
		}
		k.compareOutput(r, w, i, y)
	}
}

func (k *Kernel) compareOutput(r *check.Report, w *watched, i int, want *tensor.Tensor) {
	var o []tensor.Tolerance
	if t := k.Options.Tolerance; t != nil {
		o = []tensor.Tolerance{*t}
	}
	c := tensor.AllClose(w.copies[i], want, o...)
	if c.OK {
		return
	}
	name := k.Labels[i]
	f := check.Finding{Kind: check.Reference, Severity: check.Error, Tensor: name, Index: c.Index}
	if c.Why != "" {
		f.Msg = fmt.Sprintf("%s cannot be compared with the reference: %s", name, c.Why)
		r.Add(f)
		return
	}
	f.Msg = fmt.Sprintf("%d of %d elements of %s differ from the reference; the worst is %s: got %v, want %v", c.Mismatches, c.Total, name, check.IndexText(c.Index), c.Got, c.Want)
	f.Note("absolute error %.3g, relative %.3g; allowed are %.3g + %.3g · |want|", c.AbsErr, c.RelErr, c.Tolerance.Abs, c.Tolerance.Rel)
	if pid, pos, ok := w.c.Writer(w.ptrs[i], offset(w.copies[i], c.Index)); ok {
		f.PID, f.Pos = pid, pos
		f.Note("program %s wrote it", check.Tuple(pid))
	} else {
		f.Pos.File, f.Pos.Line = k.Begin.File, k.Begin.Line
		f.Note("no program wrote it")
	}
	f.Source = k.Source(f.Pos.File, f.Pos.Line)
	f.Fix("run the kernel on small tensors of whole numbers, and look at that element")
	r.Add(f)
}

// offset is where an element lies, in elements from the first.
func offset(x *tensor.Tensor, at []int) int {
	off := 0
	for i, n := range at {
		off += n * x.Stride(i)
	}
	return off
}
