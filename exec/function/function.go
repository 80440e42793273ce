package function

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"

	"github.com/tiler-go/tiler/exec/eager"
	"github.com/tiler-go/tiler/exec/frontend"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Function is a kernel's function. It does not change once its Text is set.
type Function struct {
	Name string
	Err  error         // why it is no kernel
	Go   reflect.Value // what runs it, on eager tiles
	Text Text

	lowered *Lowered // nil for a function of Go
	file    string   // the IR's
	run     *eager.Func
	spec    *frontend.Spec

	once   sync.Once // of params
	params []Param
}

// A Text is the source of a function that an interpreter of Go runs; see exec.Text.
type Text struct {
	Go, Name string
	At       func(line int) diag.Pos
	File     func(name string) string
	Stop     func() (resume func())
	Spell    func(d *diag.Diagnostic)
}

// New is a kernel's function of Go; what is wrong with it is Err.
func New(fn any) *Function {
	f := &Function{Go: reflect.ValueOf(fn)}
	f.Name, f.Err = check(f.Go)
	return f
}

var (
	programType = reflect.TypeFor[*tl.Program]()
	tileType    = reflect.TypeFor[tl.Tile]()
	dtypeType   = reflect.TypeFor[tl.DType]()
	tensorType  = reflect.TypeFor[*tensor.Tensor]()
)

// check is the function's name, and what keeps it from being a kernel.
func check(fn reflect.Value) (string, error) {
	if fn.Kind() != reflect.Func {
		return "kernel", fmt.Errorf("exec.New: got %s, want a kernel function func(p *tl.Program, ...)", kindName(fn))
	}
	if fn.IsNil() {
		return "kernel", fmt.Errorf("exec.New: a nil function")
	}
	name := functionName(fn)
	t := fn.Type()
	switch {
	case t.NumIn() == 0 || t.In(0) != programType:
		return name, fmt.Errorf("exec.New: the first parameter of %s must be *tl.Program", name)
	case t.NumOut() != 0:
		return name, fmt.Errorf("exec.New: %s returns a value; a kernel stores its results through tl.Ptr parameters", name)
	case t.IsVariadic():
		return name, fmt.Errorf("exec.New: %s is variadic; a kernel has a fixed list of parameters", name)
	}
	for i := 1; i < t.NumIn(); i++ {
		if kindOfType(t.In(i)) == 0 {
			return name, fmt.Errorf("exec.New: parameter %d of %s is %s; a kernel takes tl.Ptr, int, float64, bool, tl.Const, tl.DType and string", i, name, t.In(i))
		}
	}
	return name, nil
}

// kindName is the type of a value as messages name it.
func kindName(v reflect.Value) string {
	if !v.IsValid() {
		return "nil"
	}
	return v.Type().String()
}

// codeName is the full name of the function's code, "" if it has none.
func codeName(fn reflect.Value) string {
	f := runtime.FuncForPC(fn.Pointer())
	if f == nil {
		return ""
	}
	name := f.Name()
	return name[strings.LastIndex(name, "/")+1:]
}

// functionName is the last part of the function's name in its package.
func functionName(fn reflect.Value) string {
	name := codeName(fn)
	if name == "" || anonymous(name) {
		return "kernel" // an interpreter's function: only who made it knows its name
	}
	if i := strings.IndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	return strings.TrimSuffix(name, "-fm")
}

// Anonymous reports whether an interpreter made the function, of which only it knows the name.
func (f *Function) Anonymous() bool { return anonymous(codeName(f.Go)) }

func anonymous(code string) bool { return strings.HasPrefix(code, "reflect.") }
