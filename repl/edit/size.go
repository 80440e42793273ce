//go:build !windows && !js && !wasip1

package edit

import (
	"os"

	"github.com/chzyer/readline"
)

// size is the terminal's, 0 if it is unknown.
func size() (width, height int) {
	for _, f := range []*os.File{os.Stdout, os.Stderr} {
		if w, h, err := readline.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w, h
		}
	}
	return 0, 0
}
