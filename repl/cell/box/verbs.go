package box

import (
	"reflect"
	"strings"
)

// ErrorArgs lets boxes that are errors be wrapped with %w.
func ErrorArgs(args []any) []any {
	args = append([]any(nil), args...)
	for i, a := range args {
		if b, ok := a.(Box); ok {
			if _, ok := b.method("Error", reflect.TypeFor[func() string]()); ok {
				args[i] = boxError{b}
			}
		}
	}
	return args
}

// TypeVerbs replaces %T of boxes by the names of their types.
func TypeVerbs(format string, args []any) (string, []any) {
	if !strings.Contains(format, "T") {
		return format, args
	}
	hasBox := false
	for _, a := range args {
		_, ok := boxed(a)
		hasBox = hasBox || ok
	}
	if !hasBox {
		return format, args
	}
	args = append([]any(nil), args...)
	out := []byte(format)
	arg := 0
	for i := 0; i < len(out); i++ {
		if out[i] != '%' {
			continue
		}
		for i++; i < len(out) && strings.IndexByte("+-# 0123456789.*[]", out[i]) >= 0; i++ {
			if out[i] == '*' {
				arg++
			}
			if out[i] == '[' {
				return format, args // numbered arguments are too rare to follow
			}
		}
		if i >= len(out) || out[i] == '%' {
			continue
		}
		if arg < len(args) && out[i] == 'T' {
			if b, ok := boxed(args[arg]); ok {
				out[i], args[arg] = 's', typeName(b.T.t)
			}
		}
		arg++
	}
	return string(out), args
}
