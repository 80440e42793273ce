package main

import (
	"io"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
)

// run is the command, and its exit status. tiler FILE.go is tiler run FILE.go.
func run(args []string, in io.Reader, out, err io.Writer) int {
	if len(args) > 0 && (strings.HasSuffix(args[0], ".go") || isPython(args[0])) {
		args = slices.Insert(slices.Clone(args), 0, "run")
	}
	return commandLine().Run(args, in, out, err)
}

func commandLine() *cli.Program {
	return &cli.Program{
		Name: "tiler", About: "runs tile kernels written in Go",
		Commands: commands(), Others: otherNames, Places: "FILE.go", Kinds: kinds(),
	}
}

// otherNames is what people call commands elsewhere.
var otherNames = map[string]string{
	"-h": "help", "-help": "help", "--help": "help",
	"-version": "version", "--version": "version",
	"--e": "-e", "-eval": "-e", "eval": "-e",
}

// commands is the table of commands, in the order in which help lists them.
func commands() []cli.Command {
	return slices.Concat(programCommands(), lookCommands(), otherCommands())
}

// programCommands run something.
func programCommands() []cli.Command {
	return []cli.Command{
		{
			Name: "", Short: "start a prompt; without a terminal, evaluate what comes in",
			Setup: cli.Plain(func(e cli.Env, _ []string) int { return runRepl(e) }),
		},
		{
			Name: "-norc", Short: "the same, without the startup file: tiler/init.go in $XDG_CONFIG_HOME or ~/.config",
			Setup: cli.Plain(runPlainRepl),
		},
		{
			Name: "run", Args: "FILE [arguments]", Short: "run a Go program, a script of cells, or a Python script with Triton kernels",
			About: "A Python script runs in the machine's Python, with a module triton of tiler's: what it launches runs here, near the CPU's limit, " +
				"on its NumPy arrays or PyTorch tensors; a device \"cuda\" is the CPU. TILER_PYTHON names another Python than the first one that has what the script imports.\n" +
				"Of Go, no Go toolchain is needed; the same file works under go run. A file without a package clause is a script of cells, " +
				"as they are typed at the prompt. The file - is standard input. tiler FILE.go is the same.\n" +
				"The exit status is the program's; 2 after a panic.",
			Uses: [][2]string{
				{"tiler run main.go", "runs a program"},
				{"tiler main.go 1000", "the same, with an argument for the program"},
				{"tiler run softmax.py", "runs a Python script"},
				{"echo 'tl.Arange(0, 4) * 2' | tiler run -", "evaluates a cell"},
			},
			Places: "FILE.go|FILE.py FILE...", Setup: cli.Plain(runRun),
		},
		{
			Name: "check", Args: "[-json | -v | -shard I/N] [-keep-going] FILE [arguments]", Short: "run a program with every launch checked, and report on each kernel",
			About: "Each launch runs interpreted with every sanitizer on (stray and racing accesses, undefined values, overflow), also with other sizes than " +
				"those given; a kernel that passes is compiled, and must give the same bits. The file - is standard input.\n" +
				"A Python script with Triton kernels (.py) is checked as it is; what is found is raised where it launches.\n" +
				"Launches of a kernel are one report, in which each finding stands once. The exit status is 1 if a launch failed, or has a warning.",
			Uses: [][2]string{
				{"tiler check main.go", "checks a program"},
				{"tiler check -v main.go", "a report of each launch"},
				{"tiler check -keep-going softmax.py", "all that is wrong with a Python script's kernels"},
				{"tiler check -json main.go | jq -c .findings", "only what was found"},
				{"tiler check -shard 2/8 main.go > 2.jsonl", "every eighth launch, for tiler merge"},
			},
			Places: "FILE.go|FILE.py FILE...", Setup: setupCheck,
		},
		{
			Name: "learn", Args: "[-o FILE.go] [-hint] [-solution] [N or FILE.go]",
			Short: "open the puzzles, write one into a file, or judge a file (exit status 1 if it is wrong)",
			About: "At a terminal the puzzle opens at the prompt; elsewhere it is printed. N is a puzzle's number or name, the next unsolved one if it is left out.",
			Uses: [][2]string{
				{"tiler learn", "goes on with the next puzzle"},
				{"tiler learn 5", "opens puzzle 5"},
				{"tiler learn -o five.go 5", "writes it into a file, for an editor"},
				{"tiler learn five.go", "judges the file"},
			},
			Places: "PUZZLE|FILE.go", Mixed: true, Setup: setupLearn,
		},
		{
			Name: "play", Args: "[-no-open] [-port N] [DIR]", Short: "open lessons and puzzles in a browser, with cells that run as one types",
			About: "The page is served to this machine alone, and everything runs in the browser. What runs there is compiled once, which needs a Go toolchain and a minute or two; " +
				"DIR is a page that tiler site wrote, and needs none.",
			Uses: [][2]string{
				{"tiler play", "opens the first lesson"},
				{"tiler play -no-open", "only serves it"},
				{"tiler play page", "serves what tiler site wrote into page"},
			},
			Places: "DIR", Mixed: true, Setup: setupPlay,
		},
		{
			Name: "site", Args: "DIR", Short: "write that page into a folder, for any server of files",
			About:  "All links are relative, and nothing is asked of any other server. The folder is a few megabytes; it works whether or not the server compresses.",
			Uses:   [][2]string{{"tiler site page", "writes the folder page"}},
			Places: "DIR", Setup: setupSite,
		},
		{
			Name: "trace", Args: "[-o FILE.html] [-instances N] [-lanes N] FILE [arguments]",
			Short: "run a program, and write a page that steps through its program instances",
			About: "The page is a single file for any browser. Flags may follow the file.\n" +
				"The exit status is 1 if the program or one of its launches failed; the page is written all the same.",
			Uses: [][2]string{
				{"tiler trace main.go", "writes main.trace.html"},
				{"tiler trace softmax.py", "of a Python script with Triton kernels"},
				{"tiler trace main.go -o page.html -instances 4", "only the first four program instances of each launch"},
			},
			Places: "FILE.go|FILE.py FILE...", Setup: setupTrace,
		},
		{
			Name: "-e", Args: "'code'", Short: "evaluate a cell and print its value",
			Uses: [][2]string{{"tiler -e 'tl.Sum(tl.Arange(0, 10))'", "prints 45"}},
			Raw:  true, Setup: cli.Plain(runCode),
		},
	}
}

// lookCommands look into kernels, and measure them.
func lookCommands() []cli.Command {
	return []cli.Command{
		{
			Name: "golden", Args: "[-engine E] [ZIP]", Short: "check an engine against recorded answers of Triton",
			About: "Without ZIP the recorded answers of tiler's own source are used.\nThe exit status is 1 if an answer differs.",
			Uses: [][2]string{
				{"tiler golden", "checks every engine of this machine"},
				{"tiler golden -engine portable", "one engine"},
			},
			Places: "FILE.zip", Mixed: true, Prints: true, Setup: setupGolden,
		},
		{
			Name: "replay", Args: "[-json | -shard I/N] [-engine E] ARCHIVE.zip", Short: "run recorded launches of Triton's Python kernels, and compare with the GPU",
			About: "The archive holds Python files, and launches of their kernels: arguments, and memory before and after. Each runs interpreted and in every engine, " +
				"which must leave the same bits; the GPU's are compared within what rounding explains.\nThe exit status is 1 if a result is wrong.",
			Uses: [][2]string{
				{"tiler replay launches.zip", "a line for each launch that is not right, and the sums"},
				{"tiler replay -json launches.zip | jq .wrong", "the same for programs"},
				{"tiler replay -shard auto/8 launches.zip", "one of eight tasks of an array job, for tiler merge"},
			},
			Places: "FILE.zip", Mixed: true, Prints: true, Setup: setupReplay,
		},
		{
			Name: "merge", Args: "FILE.jsonl...", Short: "put together what the shards of a check, bench or replay printed",
			About: "Each of N runs with -shard I/N does every N-th launch or row; -shard auto/N takes I from " +
				"JOB_COMPLETION_INDEX, SLURM_ARRAY_TASK_ID or AWS_BATCH_JOB_ARRAY_INDEX, and -shard auto takes N, too, " +
				"where the scheduler says it.\n" +
				"The files may come in any order, and a shard more than once: the result is the same, a line of JSON " +
				"for each launch or row. The exit status is that of the whole run; what is missing is an error. " +
				"The file - is standard input.",
			Uses: [][2]string{
				{"tiler merge 0.jsonl 1.jsonl 2.jsonl > all.jsonl", "of three shards"},
				{"cat *.jsonl | tiler merge - | jq -c .findings", "only what was found"},
			},
			Places: "FILE...", Prints: true, Setup: cli.Plain(runMerge),
		},
		{
			Name: "ir", Args: "[-pass NAME] FILE[:KERNEL] [NAME=VALUE...]", Short: "print a kernel's intermediate form after each pass",
			About: inspectAbout,
			Uses: [][2]string{
				{"tiler ir main.go:add BLOCK=256", "all passes"},
				{"tiler ir -pass final main.go:add BLOCK=256 x=f16", "the last one, with x a tensor of float16"},
				{"tiler ir add.py:add_kernel BLOCK_SIZE=256", "of a Triton kernel"},
			},
			Places: "FILE.go|FILE.py", Mixed: true, Prints: true, Setup: setupIR,
		},
		{
			Name: "asm", Args: "[-cpu TIER] [-why] FILE[:KERNEL] [NAME=VALUE...]", Short: "print a kernel's machine code beside its source, or what keeps it from better",
			About: inspectAbout,
			Uses: [][2]string{
				{"tiler asm main.go:add BLOCK=256", "for this machine"},
				{"tiler asm -cpu avx2 main.go:add BLOCK=256", "for another one"},
				{"tiler asm -why main.go:add BLOCK=256", "by what each line is done"},
			},
			Places: "FILE.go|FILE.py", Mixed: true, Prints: true, Setup: setupAsm,
		},
		{
			Name: "go", Args: "[-package NAME] FILE.py[:KERNEL] [NAME=VALUE...]",
			Short: "print a Triton kernel of Python as a kernel in Go",
			About: "Names and comments are kept. A parameter is what its use tells, or NAME=VALUE. " +
				"Go's int has 64 bits: what wraps in Triton does not here, or is an error.\n" +
				"What has no counterpart in Go is refused with its line, and the exit status is 1.",
			Uses: [][2]string{
				{"tiler go add.py:add_kernel > add.go", "a kernel, with the functions that it calls"},
				{"tiler go norm.py eps=1e-5", "says that eps is a float"},
			},
			Places: "FILE.py", Mixed: true, Prints: true, Setup: setupGo,
		},
		{
			Name: "bench", Args: "[-json | -shard I/N] [-peers] [-quick] [-filter REGEXP] [-engine E] [-threads N,N] [-alone] [-svg FILE.svg [-from FILE]] [SUITE...]",
			Short: "measure compiled kernels beside the machine's limits and other libraries",
			About: "Values are medians of interleaved rounds. The exit status is 1 if a row could not be measured.",
			Uses: [][2]string{
				{"tiler bench -quick", "the rows that matter most"},
				{"tiler bench softmax layernorm", "two suites"},
				{"tiler bench -filter 'matmul .*1024' -threads 1", "some rows, on one thread"},
				{"tiler bench -svg chart.svg -from results.json", "a chart of what bench -json printed earlier"},
				{"tiler bench -peers", "what it can be compared with here, and how to install the rest"},
			},
			Places: "SUITE...", Mixed: true, Prints: true, Setup: setupBench,
		},
	}
}

const inspectAbout = "FILE is Go, or Python with Triton kernels (.py). KERNEL may be left out if the file has one. NAME=VALUE gives a constant its value, or a tensor its dtype (x=f16); " +
	"what is needed and missing is named, with a command to copy."

// otherCommands are about tiler itself.
func otherCommands() []cli.Command {
	return []cli.Command{
		{
			Name: "examples", Args: "[-o DIR] [NAME...]", Short: "list the examples and tutorials, or write some into a folder",
			About: "All are in this program. An example is written with a go.mod, so that go run and go test work in its folder; " +
				"files that are there already are never overwritten. Without -o an example is printed.",
			Uses: [][2]string{
				{"tiler examples", "lists what there is"},
				{"tiler examples matmul -o mm", "writes one: then tiler run mm/main.go, or go run . in mm"},
				{"tiler examples -o all", "writes every example"},
				{"tiler examples 01_vector_addition -o books", "writes a tutorial, a notebook"},
			},
			Places: "EXAMPLE...", Mixed: true, Setup: setupExamples,
		},
		{
			Name: "jupyter", Args: "install|run|doctor|uninstall [-kernel KERNEL] [-prefix DIR] [-clone DIR] [flags of Jupyter]", Short: "set up notebooks, or open Jupyter on the tutorials",
			About: "install tells Jupyter of two kernels: tiler, which is the prompt and needs nothing else, and, where Go is, one whose cells are compiled: " +
				"gonb is built for it, the first time in a minute or two. run opens Jupyter on the tutorials, and passes on flags that are not its own; " +
				"doctor says what is there and what is not; uninstall removes what install made.",
			Uses: [][2]string{
				{"tiler jupyter install", "once"},
				{"tiler jupyter run", "opens the tutorials"},
				{"tiler jupyter install -kernel tiler", "only the prompt, in a second"},
				{"tiler jupyter run --no-browser --port 9999", "with flags of Jupyter's"},
			},
			Places: "ACTION", Mixed: true, Passes: "run", Setup: setupJupyter,
		},
		{
			Name: "kernel", Args: "CONNECTION-FILE", Short: "serve a notebook: what Jupyter runs",
			About:  "The prompt behind Jupyter's protocol, for one notebook, on this machine alone. tiler jupyter install tells Jupyter of it.",
			Places: "FILE", Setup: cli.Plain(runKernel),
		},
		{
			Name: "python-path", Short: "print the folder of tiler's module triton, for PYTHONPATH",
			About:  "With it Python runs scripts by itself, as under tiler run; the module starts tiler for their launches.",
			Uses:   [][2]string{{"PYTHONPATH=$(tiler python-path) python3 script.py", "runs a script"}},
			Prints: true, Setup: setupPythonPath,
		},
		{
			Name: "doctor", Short: "say what this machine offers, and how to get what it lacks",
			Prints: true, Setup: cli.Plain(runDoctor),
		},
		{
			Name: "completion", Args: "SHELL", Short: "print what makes a shell complete tiler's commands: bash, zsh or fish",
			Uses: [][2]string{
				{`eval "$(tiler completion bash)"`, "in ~/.bashrc"},
				{`eval "$(tiler completion zsh)"`, "in ~/.zshrc, after compinit"},
				{"tiler completion fish > ~/.config/fish/completions/tiler.fish", "once"},
			},
			Places: "SHELL", Setup: setupCompletion,
		},
		{
			Name: "version", Short: "print the version, how it was built, and for which machine",
			Prints: true, Setup: cli.Plain(runVersion),
		},
		{
			Name: "help", Args: "[COMMAND]", Short: "list the commands, or explain one",
			Uses:   [][2]string{{"tiler help trace", "explains the flags of trace"}},
			Places: "COMMAND", Raw: true, Prints: true, Setup: cli.Plain(cli.Help), // -e is a command, too
		},
	}
}
