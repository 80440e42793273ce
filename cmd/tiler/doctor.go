package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/bench"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/notebooks/jupyter"
)

// runDoctor says what the machine offers: the processor and the engines it allows, what
// notebooks need, and the libraries that benchmarks compare with.
func runDoctor(e cli.Env, args []string) int {
	if len(args) > 0 {
		return e.Usage()
	}
	ctx := context.Background()
	end := cli.NewBar(e.Err).During("looking for what this machine has")
	list := machineFacts()
	if place, err := jupyter.User(os.Getenv); err != nil { // without a home
		list = append(list, jupyter.Fact{Name: "notebook", Lack: err.Error()})
	} else {
		list = append(list, jupyter.Status(ctx, place)...)
	}
	list = append(list, pythonFacts(ctx)...)
	list = append(list, peerFacts(ctx)...)
	end()
	return facts(e, list)
}

// machineFacts is the processor and what it makes possible.
func machineFacts() []jupyter.Fact {
	return []jupyter.Fact{
		{Name: "machine", Have: fmt.Sprintf("%s, %s/%s, %d cores usable, best tier %v", cpu.Model(), runtime.GOOS, runtime.GOARCH, cpu.Count(), cpu.Best())},
		{Name: "engines", Have: strings.Join(exec.Engines(), ", ") + switchedOff(cpu.SwitchedOffTiers(), cpu.SwitchedOff())},
	}
}

// switchedOff is what the machine has and GODEBUG keeps from use: tiers, or else single extensions.
func switchedOff(tiers []cpu.Tier, single cpu.Features) string {
	var names []string
	for _, t := range tiers {
		names = append(names, t.String())
	}
	if len(names) == 0 {
		names = strings.Fields(single.String())
	}
	if len(names) == 0 {
		return ""
	}
	return "; switched off by GODEBUG: " + strings.Join(names, ", ")
}

// peerFacts is the libraries that kernels can be measured beside.
func peerFacts(ctx context.Context) (list []jupyter.Fact) {
	peers, err := bench.Peers(ctx)
	if err != nil {
		return []jupyter.Fact{{Name: "peers", Lack: err.Error()}}
	}
	for _, p := range peers {
		f := jupyter.Fact{Name: p.Name, Have: p.Version}
		if p.Problem != "" {
			f.Lack = p.Problem + "; only benchmarks beside it need it\nget it with: " + p.Install
		}
		list = append(list, f)
	}
	return list
}

// indent indents the lines after the first.
func indent(text string) string { return strings.ReplaceAll(text, "\n", "\n          ") }
