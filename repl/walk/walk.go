// Package walk goes through an instance of a kernel that is no Go statement by statement, and looks at
// what its variables hold in between.
package walk

import (
	"context"
	"errors"

	"github.com/tiler-go/tiler/repl/cell"
)

// Look is the value of an expression of variables. The kernel is being run, so a session of its own
// evaluates it.
func Look(names map[string]any, expr string) (cell.Value, error) {
	scratch := cell.New(cell.Options{})
	scratch.ImportUsual()
	for name, v := range names {
		_ = scratch.Set(name, v) // of what cannot be set, the error is that it is not defined
	}
	v, err := scratch.Evaluate(context.Background(), expr)
	if err != nil {
		return v, errors.New(scratch.Render(err))
	}
	return v, nil
}
