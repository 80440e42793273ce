package run

import (
	"context"
	"fmt"
	"io"

	"github.com/tiler-go/tiler/exec/function"
)

// A Setup is a kernel's function and how its launches run.
type Setup struct {
	Fn       *function.Function
	Workers  int                   // cores; 0 means all
	Output   io.Writer             // where programs print; nil means standard output
	Shuffle  uint64                // seeds the order of programs; 0: ascending
	Progress func(done, total int) // nil: nobody is told
}

// Ended is the error of a launch that was stopped.
func (s *Setup) Ended(ctx context.Context, done, total int) error {
	return fmt.Errorf("%s: launch ended early, %d of %d programs done: %w", s.Fn.Name, done, total, ctx.Err())
}
