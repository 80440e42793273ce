package main

import (
	"flag"
	"fmt"

	"github.com/tiler-go/tiler/exec/cpu"
)

const asmArgs = "[-cpu TIER] FILE.go[:KERNEL] [NAME=VALUE...]"

func runAsm(e env, args []string) int {
	set := flag.NewFlagSet("asm", flag.ContinueOnError)
	set.SetOutput(e.err)
	name := set.String("cpu", "", "the instructions to use: avx2 or avx512; the best of this machine if not given")
	if set.Parse(args) != nil || set.NArg() == 0 {
		return e.usage("asm")
	}
	tier, err := cpu.Parse(*name)
	if err != nil {
		return e.fail(err)
	}
	i, err := inspectKernel("asm", set.Args())
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
