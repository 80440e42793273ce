package engine

import (
	"sync"
	"sync/atomic"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/ir"
)

// Interpreted is the engine that calls the kernel's own function.
const Interpreted = "interpreted"

// An Engine makes optimised functions runnable.
type Engine struct {
	Name    string
	Tier    cpu.Tier
	Compile func(f *Func, ordered bool) (Code, error)
}

// table is the engines that compile, slowest first, each with the instructions it needs.
var table = []Engine{
	{"portable", cpu.Portable, func(f *Func, _ bool) (Code, error) { return portably(f) }},
	{"avx2", cpu.AVX2, func(f *Func, ordered bool) (Code, error) { return machineCode(f, cpu.AVX2, ordered) }},
	{"avx512", cpu.AVX512, func(f *Func, ordered bool) (Code, error) { return machineCode(f, cpu.AVX512, ordered) }},
}

// Table is the engines that compile, slowest first.
func Table() []Engine { return table }

// A Func is an optimised function, of which there is one portable program.
type Func struct {
	IR       *ir.Func
	portable func() (*portablePool, error)
}

// NewFunc is a function for engines.
func NewFunc(fn *ir.Func) *Func {
	return &Func{fn, sync.OnceValues(func() (*portablePool, error) { return newPortable(fn) })}
}

// Code is a kernel as an engine runs it, for any number of launches.
type Code interface {
	// Begin prepares a launch. Instances are done one by one if single is set, else
	// possibly many as one.
	Begin(l *Launch, workers int, single bool) Job
}

// A Launch is what an engine is told of a launch.
type Launch struct {
	Args  []ir.Arg
	Grid  [3]int
	Total int
	Print func(program int, v *ir.Value, operands []ir.Printed)
	Stop  *atomic.Bool
	kept  any // what an engine has left here at an earlier launch
}

// A Job is a launch as tasks that can be done in any order, and what does them.
type Job struct {
	Tasks  int
	Worker func() Worker
}

// A Worker does tasks on one goroutine. Run gives the first failure, after which
// it does no more.
type Worker interface {
	Run(lo, hi int) *ir.Failure
	Release()
}
