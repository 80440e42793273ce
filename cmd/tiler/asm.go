package main

import (
	"flag"
	"fmt"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/cpu"
)

func setupAsm(flags *flag.FlagSet) cli.Action {
	name := flags.String("cpu", "", "the instructions to use: `TIER` is avx2 or avx512; the best of this machine if not given")
	why := flags.Bool("why", false, "say for each line by what it is done, and what keeps it from better, instead of printing the code")
	return func(e cli.Env, args []string) int {
		if len(args) == 0 {
			return e.Usage()
		}
		return printCode(e, *name, *why, args)
	}
}

func printCode(e cli.Env, name string, why bool, args []string) int {
	tier, err := cpu.Parse(name)
	if err != nil {
		return e.Fail(err)
	}
	i, err := inspectKernel("asm", args)
	if err != nil {
		return e.Fail(err)
	}
	text, err := codeOrCosts(i, tier, why)
	if err != nil {
		return e.Fail(err)
	}
	if tier == cpu.Auto {
		tier = cpu.Best()
	}
	fmt.Fprintf(e.Out, "%s(%s), %s\n\n%s", i.Kernel, i.Args, tier, text)
	return 0
}

func codeOrCosts(i *exec.Inspection, tier cpu.Tier, why bool) (string, error) {
	if !why {
		return i.Code(tier)
	}
	costs, err := i.Costs(tier)
	return exec.CostText(costs), err
}
