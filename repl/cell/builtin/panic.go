package builtin

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

// PanicText is what Go prints of a panic's value.
func PanicText(v any) string {
	switch x := v.(type) {
	case runtime.Error:
		return x.Error()
	case error:
		return x.Error()
	case interface{ PanicText() string }:
		return x.PanicText()
	case fmt.Stringer:
		return x.String()
	case string:
		return x
	}
	t := reflect.TypeOf(v)
	if t != nil && t.Kind() <= reflect.Complex128 {
		return fmt.Sprintf("%T(%v)", v, v)
	}
	return fmt.Sprintf("(%T) %v", v, v)
}

// RuntimeError is an error of the runtime that the interpreter reports in its own
// words.
type RuntimeError string

func (e RuntimeError) Error() string { return "runtime error: " + string(e) }

func (e RuntimeError) RuntimeError() {}

// PanicValue is what compiled Go would have panicked with.
func PanicValue(v any) any {
	if rv, ok := v.(reflect.Value); ok {
		if !rv.IsValid() {
			return nil
		}
		v = rv.Interface()
	}
	switch x := v.(type) {
	case string:
		if e, ok := Translate(x); ok {
			return e
		}
	case *reflect.ValueError:
		return RuntimeError("invalid memory address or nil pointer dereference")
	case hostPanic:
		return x.v
	}
	return v
}

// hostPanic is the value of a panic of the program, as it is.
type hostPanic struct{ v any }

func (p hostPanic) Error() string { return fmt.Sprint(p.v) }

// Unwrap is the error that the program panicked with, if it is one.
func (p hostPanic) Unwrap() error {
	err, _ := p.v.(error)
	return err
}

// Translate puts what reflection says into the runtime's words.
func Translate(text string) (error, bool) {
	if !strings.HasPrefix(text, "reflect") {
		return nil, false
	}
	switch {
	case strings.Contains(text, "index out of range"):
		return RuntimeError("index out of range"), true
	case strings.Contains(text, "out of bounds"):
		return RuntimeError("slice bounds out of range"), true
	case strings.Contains(text, "nil function") || strings.Contains(text, "zero Value") || strings.Contains(text, "nil pointer") || strings.Contains(text, "nil interface") || strings.Contains(text, "IsNil"):
		return RuntimeError("invalid memory address or nil pointer dereference"), true
	case strings.Contains(text, "cannot convert slice with length"):
		return RuntimeError(strings.Replace(strings.TrimPrefix(text, "reflect: "), " to array", " to array or pointer to array", 1)), true
	case strings.Contains(text, "negative"):
		return RuntimeError("makeslice: len out of range"), true
	}
	return nil, false
}

// Panic is the program's panic.
func Panic(v any) {
	if v == nil {
		panic(new(runtime.PanicNilError))
	}
	panic(hostPanic{v})
}
