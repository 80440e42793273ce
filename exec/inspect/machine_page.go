//go:build tiler_page

package inspect

import (
	"io"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/engine"
	"github.com/tiler-go/tiler/exec/ir"
)

func listMachineCode(io.Writer, *ir.Func, cpu.Tier, func(*ir.Value) string) error {
	return engine.ErrNoMachineCode
}

// Costs are those of machine code.
func (i *Inspection) Costs(cpu.Tier) ([]Cost, error) { return nil, engine.ErrNoMachineCode }
