package nb

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"

	"github.com/janpfeifer/gonb/cache"
)

// Keep is the value that create makes, computed once: every cell is a program of its own,
// and with Keep a variable of the notebook does not start over in each. The value is kept
// in gonb's cache as long as the kernel runs, until the text of create, or of what it
// calls, changes.
//
//	var x = nb.Keep("x", func() []float64 { … })
//
// Values are stored as package encoding/gob does; tensors know how. Outside a notebook it
// calls create.
func Keep[T any](name string, create func() T) T {
	dir := os.Getenv("GONB_TMP_DIR")
	if !inNotebook() || dir == "" {
		return create()
	}
	storage, err := cache.New(filepath.Join(dir, "kept"))
	if err != nil {
		Fail(fmt.Errorf("nb.Keep: %w", err))
		return create()
	}
	return cache.CacheWith(storage, name+"-"+recipe(reflect.ValueOf(create).Pointer(), name), create)
}

// recipe identifies how a value is made: by the declaration that the function is in.
func recipe(pc uintptr, name string) string {
	f := runtime.FuncForPC(pc)
	s := cells()
	if f == nil || s == nil {
		return ""
	}
	_, line := f.FileLine(f.Entry())
	from, _ := s.functionAt(line)
	if from == "" || from == "main" {
		from = name // var name = nb.Keep("name", …)
	}
	return s.hash(s.reachable(from, func(string) bool { return true }))
}
