//go:build tiler_page

package exec

import (
	"errors"
	"io"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/ir"
)

// The program of the page has the portable engine alone: no browser runs machine code, and
// what makes it is a seventh of what would have to be loaded.
var errNoMachineCode = errors.New("the page makes no machine code\n\tfix: install tiler, and try it there")

func machineCode(*variant, cpu.Tier, bool) (code, error) { return nil, errNoMachineCode }

func listMachineCode(io.Writer, *ir.Func, cpu.Tier, func(*ir.Value) string) error {
	return errNoMachineCode
}

// Costs are those of machine code.
func (i *Inspection) Costs(cpu.Tier) ([]Cost, error) { return nil, errNoMachineCode }

func leftToGo(code) []string { return nil }
