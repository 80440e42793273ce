package function

import (
	"fmt"
	"reflect"

	"github.com/tiler-go/tiler/exec/frontend"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Args is what the compiler must know of arguments.
func Args(args []any) []frontend.Arg {
	out := make([]frontend.Arg, len(args))
	for i, a := range args {
		f := &out[i]
		switch a := a.(type) {
		case *tensor.Tensor:
			f.DType, f.None = a.DType(), a.IsNone()
		case int:
			f.Int = int64(a)
		case float64:
			f.Float = a
		case bool:
			f.Bool = a
		case tl.DType:
			f.DType = a
		case string:
			f.Str = a
		}
	}
	return out
}

// Values is arguments as the function takes them, after a place for the program.
func (f *Function) Values(args []any, pointer func(i int, x *tensor.Tensor) tl.Ptr) []reflect.Value {
	vs := make([]reflect.Value, len(args)+1)
	for i, a := range args {
		if x, ok := a.(*tensor.Tensor); ok {
			a = pointer(i, x)
		}
		vs[i+1] = reflect.ValueOf(a)
		if want := f.Go.Type().In(i + 1); vs[i+1].Type() != want {
			vs[i+1] = vs[i+1].Convert(want)
		}
	}
	return vs
}

// Reference is a function that computes what the kernel does, with its parameters.
func (f *Function) Reference(ref any) (*reflect.Value, error) {
	fn := reflect.ValueOf(ref)
	want := f.Go.Type()
	if fn.Kind() != reflect.Func || fn.IsNil() {
		return nil, f.Errorf("Against: got %s, want a function", kindName(fn))
	}
	t := fn.Type()
	ok := t.NumIn() == want.NumIn()-1 && !t.IsVariadic()
	for i := 1; ok && i < want.NumIn(); i++ {
		in := want.In(i)
		if kindOfType(in) == Ptr {
			ok = t.In(i-1) == tensorType
		} else {
			ok = kindOfType(in) == kindOfType(t.In(i-1))
		}
	}
	if !ok {
		return nil, f.Errorf("Against: the reference is %v, want the kernel's parameters without the program, and *tensor.Tensor for tl.Ptr\n\tthe kernel is %s", t, f.Signature())
	}
	return &fn, nil
}

// RefuseVirtual is the error of running on tensors without memory.
func (f *Function) RefuseVirtual(args []any) error {
	for i, a := range args {
		if x, ok := a.(*tensor.Tensor); ok && x.IsVirtual() {
			return f.Errorf("%s is virtual: it has a shape but no memory: it can be checked, not launched", f.Params()[i].Label())
		}
	}
	return nil
}

// Errorf is an error that begins with the kernel's name.
func (f *Function) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s: "+format, append([]any{f.Name}, args...)...)
}

// Recover, deferred, makes an error of a panic of the compiler: its mistakes end in the
// interpreter, not in the program that launches the kernel.
func Recover(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("a bug in the compiler, not in the kernel: %v", v)
	}
}
