package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/notebooks/jupyter"
)

// runDoctor says what the machine offers: the processor and the engines it allows, what
// notebooks need, and the libraries that benchmarks compare with.
func runDoctor(e env, args []string) int {
	flags := flag.NewFlagSet("doctor", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	if flags.Parse(args) != nil || flags.NArg() > 0 {
		return e.usage("doctor")
	}
	ctx := context.Background()
	place, err := jupyter.User(os.Getenv)
	if err != nil {
		return e.fail(err)
	}
	list := machineFacts()
	list = append(list, jupyter.Status(ctx, place)...)
	return facts(e, append(list, peerFacts(ctx)...))
}

// machineFacts is the processor and what it makes possible.
func machineFacts() []jupyter.Fact {
	return []jupyter.Fact{
		{Name: "machine", Have: fmt.Sprintf("%s, %s/%s, %d cores usable, best tier %v", cpu.Model(), runtime.GOOS, runtime.GOARCH, cpu.Count(), cpu.Best())},
		{Name: "engines", Have: strings.Join(exec.Engines(), ", ")},
	}
}

// peerFacts is the libraries that kernels can be measured beside.
func peerFacts(ctx context.Context) (list []jupyter.Fact) {
	list = append(list, jupyter.Fact{Name: "openblas", Have: library("libopenblas.so*"), Lack: ""})
	if list[0].Have == "" {
		list[0].Lack = "not found; only benchmarks beside it need it\n\tget it with: apt-get install libopenblas0-pthread"
	}
	for _, name := range []string{"numpy", "numba", "torch"} {
		f := jupyter.Fact{Name: name, Lack: "not found; only benchmarks beside it need it\n\tget it with: pip install " + name}
		for _, python := range []string{"python3", "/usr/bin/python3"} {
			out, err := osexec.CommandContext(ctx, python, "-c", "import "+name+"; print("+name+".__version__)").Output()
			if err == nil {
				f.Have, f.Lack = fmt.Sprintf("%s, of %s", strings.TrimSpace(string(out)), python), ""
				break
			}
		}
		list = append(list, f)
	}
	return list
}

// library is the first shared library of a name in the usual folders.
func library(pattern string) string {
	for _, dir := range []string{"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib", "/opt/homebrew/opt/openblas/lib"} {
		if found, _ := filepath.Glob(filepath.Join(dir, pattern)); len(found) > 0 {
			return found[0]
		}
	}
	return ""
}

// indent indents the lines after the first.
func indent(text string) string { return strings.ReplaceAll(text, "\n", "\n          ") }
