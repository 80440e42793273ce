//go:build tiler_page

package launch

import (
	"context"
	"errors"
)

// The program of the page does not read Python: its lessons have none, and the reader is a
// twelfth of what would have to be loaded.
type script struct{}

var errNoPython = errors.New("the page does not read Python\n\tfix: install tiler, and try it there")

func (k *Kernels) Load(string) error { return errNoPython }

func (k *Kernels) Text(string) (func(string) string, bool) { return nil, false }

func (k *Kernels) script(string) (script, bool) { return script{}, false }

func (k *Kernels) scriptTarget(context.Context, script, string, string, string) (Again, error) {
	return Again{}, errNoPython
}

func (k *Kernels) Lines(context.Context, string, func(int, string) error) (bool, error) {
	return false, nil
}
