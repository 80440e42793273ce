package exec

import (
	"fmt"
	"reflect"
	"time"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var tensorType = reflect.TypeFor[*tensor.Tensor]()

// reference is the function that Against gave, nil if there is none.
func (k *Kernel) reference() (*reflect.Value, error) {
	p := k.against.Load()
	if p == nil || *p == nil {
		return nil, nil
	}
	fn := reflect.ValueOf(*p)
	want := k.fn.Type()
	if fn.Kind() != reflect.Func || fn.IsNil() {
		return nil, errorf(k, "Against: got %s, want a function", kindName(fn))
	}
	t := fn.Type()
	ok := t.NumIn() == want.NumIn()-1 && !t.IsVariadic()
	for i := 1; ok && i < want.NumIn(); i++ {
		in := want.In(i)
		if kindOfType(in) == ptrParam {
			ok = t.In(i-1) == tensorType
		} else {
			ok = kindOfType(in) == kindOfType(t.In(i-1))
		}
	}
	if !ok {
		return nil, errorf(k, "Against: the reference is %v, want the kernel's parameters without the program, and *tensor.Tensor for tl.Ptr\n\tthe kernel is %s", t, k.signature())
	}
	return &fn, nil
}

// callReference runs the reference on tensors in place of the pointers.
func (k *Kernel) callReference(fn reflect.Value, args []any, xs []*tensor.Tensor) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the reference panicked: %v", v)
		}
	}()
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		if xs[i] != nil {
			a = xs[i]
		}
		in[i] = reflect.ValueOf(a)
		if want := fn.Type().In(i); in[i].Type() != want {
			in[i] = in[i].Convert(want)
		}
	}
	fn.Call(in)
	return nil
}

// compare runs the reference and compares every output with its own.
func (k *Kernel) compare(r *Report, w *watched, fn *reflect.Value) {
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
	want := privateCopies(w.original)
	if err := k.callReference(*fn, w.original, want); err != nil {
		r.Add(Finding{Kind: check.Reference, Severity: check.Error, Diagnostic: diag.Diagnostic{Msg: err.Error()}})
		return
	}
	for i, y := range want {
		if y == nil || !w.written(i) && tensor.Equal(y, w.original[i].(*tensor.Tensor)) {
			continue
		}
		k.compareOutput(r, w, i, y)
	}
}

func (k *Kernel) compareOutput(r *Report, w *watched, i int, want *tensor.Tensor) {
	var o []tensor.Tolerance
	if t := k.opts.Check.Tolerance; t != nil {
		o = []tensor.Tolerance{*t}
	}
	c := tensor.AllClose(w.copies[i], want, o...)
	if c.OK {
		return
	}
	name := k.params[i].label()
	f := Finding{Kind: check.Reference, Severity: check.Error, Tensor: name, Index: c.Index}
	if c.Why != "" {
		f.Msg = fmt.Sprintf("%s cannot be compared with the reference: %s", name, c.Why)
		r.Add(f)
		return
	}
	f.Msg = fmt.Sprintf("%d of %d elements of %s differ from the reference; the worst is %s: got %v, want %v", c.Mismatches, c.Total, name, indexText(c.Index), c.Got, c.Want)
	f.Note("absolute error %.3g, relative %.3g; allowed are %.3g + %.3g · |want|", c.AbsErr, c.RelErr, c.Tolerance.Abs, c.Tolerance.Rel)
	if pid, pos, ok := w.c.Writer(w.ptrs[i], offset(w.copies[i], c.Index)); ok {
		f.PID, f.Pos = pid, pos
		f.Note("program %s wrote it", tuple(pid))
	} else {
		if k.src.Go == "" {
			f.Pos.File, f.Pos.Line = k.position() // of interpreted Go that is the interpreter's own
		}
		f.Note("no program wrote it")
	}
	f.Source = k.sourceLine(f.Pos.File, f.Pos.Line)
	f.Fix("run the kernel on small tensors of whole numbers, and look at that element")
	r.Add(f)
}

func indexText(at []int) string {
	s := "["
	for i, n := range at {
		if i > 0 {
			s += ","
		}
		s += fmt.Sprint(n)
	}
	return s + "]"
}

// offset is where an element lies, in elements from the first.
func offset(x *tensor.Tensor, at []int) int {
	off := 0
	for i, n := range at {
		off += n * x.Stride(i)
	}
	return off
}
