package main

import (
	"flag"
	"fmt"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/cpu"
)

func setupAsm(flags *flag.FlagSet) action {
	name := flags.String("cpu", "", "the instructions to use: `TIER` is avx2 or avx512; the best of this machine if not given")
	why := flags.Bool("why", false, "say for each line by what it is done, and what keeps it from better, instead of printing the code")
	return func(e env, args []string) int {
		if len(args) == 0 {
			return e.usage("asm")
		}
		return printCode(e, *name, *why, args)
	}
}

func printCode(e env, name string, why bool, args []string) int {
	tier, err := cpu.Parse(name)
	if err != nil {
		return e.fail(err)
	}
	i, err := inspectKernel("asm", args)
	if err != nil {
		return e.fail(err)
	}
	text, err := codeOrCosts(i, tier, why)
	if err != nil {
		return e.fail(err)
	}
	if tier == cpu.Auto {
		tier = cpu.Best()
	}
	fmt.Fprintf(e.out, "%s(%s), %s\n\n%s", i.Kernel, i.Args, tier, text)
	return 0
}

func codeOrCosts(i *exec.Inspection, tier cpu.Tier, why bool) (string, error) {
	if !why {
		return i.Code(tier)
	}
	costs, err := i.Costs(tier)
	return exec.CostText(costs), err
}
