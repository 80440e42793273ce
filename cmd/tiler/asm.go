package main

import (
	"flag"
	"fmt"

	"github.com/tiler-go/tiler/exec/cpu"
)

func setupAsm(flags *flag.FlagSet) action {
	name := flags.String("cpu", "", "the instructions to use: `TIER` is avx2 or avx512; the best of this machine if not given")
	return func(e env, args []string) int {
		if len(args) == 0 {
			return e.usage("asm")
		}
		return printCode(e, *name, args)
	}
}

func printCode(e env, name string, args []string) int {
	tier, err := cpu.Parse(name)
	if err != nil {
		return e.fail(err)
	}
	i, err := inspectKernel("asm", args)
	if err != nil {
		return e.fail(err)
	}
	text, err := i.Code(tier)
	if err != nil {
		return e.fail(err)
	}
	if tier == cpu.Auto {
		tier = cpu.Best()
	}
	fmt.Fprintf(e.out, "%s(%s), %s\n\n%s", i.Kernel, i.Args, tier, text)
	return 0
}
