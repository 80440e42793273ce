//go:build tiler_page

package engine

import (
	"errors"

	"github.com/tiler-go/tiler/exec/cpu"
)

// ErrNoMachineCode is why the program of the page has the portable engine alone: no browser runs machine code, and
// what makes it is a seventh of what would have to be loaded.
var ErrNoMachineCode = errors.New("the page makes no machine code\n\tfix: install tiler, and try it there")

func machineCode(*Func, cpu.Tier, bool) (Code, error) { return nil, ErrNoMachineCode }

// LeftToGo is what machine code leaves to Go.
func LeftToGo(Code) []string { return nil }
