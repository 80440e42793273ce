package engine

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/cpu"
)

// A Choice is the engines that a kernel may use.
type Choice struct {
	Table  []Engine // those that compile, slowest first
	Forced *Engine  // that is asked for, nil if none is that compiles here
	Limit  cpu.Tier // the instructions that may be used here

	LimitErr error // why there is no limit
}

// Choose is the choice where an engine of a table is asked for by name, or none, below a cap of instructions.
func Choose(table []Engine, name string, most cpu.Tier) (c Choice) {
	c.Table, c.Forced = table, find(table, name)
	c.Limit, c.LimitErr = most.Resolve()
	return c
}

// find is the engine of a name, nil if there is none here. An engine that does not compile is none.
func find(table []Engine, name string) *Engine {
	for i := range table {
		if e := &table[i]; e.Name == name && e.Tier.Available() {
			return e
		}
	}
	return nil
}

// Check reports that the engine of a name, which was asked for, is none of this machine's.
func (c *Choice) Check(name string) error {
	if c.LimitErr != nil {
		return fmt.Errorf("exec: %w", c.LimitErr)
	}
	if c.Forced == nil && name != "" && name != Interpreted {
		if tier, err := cpu.Parse(name); err == nil {
			if _, err := tier.Resolve(); err != nil {
				return fmt.Errorf("exec: no engine %q here: %w", name, err)
			}
		}
		return fmt.Errorf("exec: no engine %q here; there is %v", name, Names())
	}
	return nil
}

// Names is the engines that run kernels here, slowest first.
func Names() []string {
	names := []string{Interpreted}
	for _, e := range table {
		if e.Tier.Available() {
			names = append(names, e.Name)
		}
	}
	return names
}
