//go:build !tiler_page

package engine

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/amd64"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable"
)

// amd64Code is a kernel as machine code, with the portable engine for what that gives
// up on.
type amd64Code struct {
	code  *amd64.Code
	exact func() (*portablePool, error)
}

func machineCode(f *Func, tier cpu.Tier, ordered bool) (Code, error) {
	o := amd64.Options{Tier: tier, Ordered: ordered, Runner: Aside}
	c, err := amd64.Compile(f.IR, o)
	if err != nil {
		return nil, err
	}
	if ordered {
		return amd64Code{c, f.portable}, nil
	}
	return widened(f.IR, amd64Code{c, f.portable}, o), nil
}

// machineCode is the code of programs one by one.
func (c amd64Code) machineCode() *amd64.Code { return c.code }

// An amd64Job is a launch of machine code.
type amd64Job struct {
	amd64.Job
	launch amd64.Launch
	exact  func() (*portablePool, error)
	worker func() Worker
}

func (c amd64Code) Begin(l *Launch, workers int, single bool) Job {
	x, _ := l.kept.(*amd64Job)
	if x == nil {
		x = &amd64Job{}
		l.kept = x
	}
	x.begin(c, l, workers, single)
	return Job{x.Tasks(), x.worker}
}

// begin prepares a launch.
func (x *amd64Job) begin(c amd64Code, l *Launch, workers int, single bool) {
	if x.worker == nil {
		x.launch.Exact = x.runExact
		x.worker = func() Worker { return x.Worker() }
	}
	x.exact = c.exact
	x.launch.Args, x.launch.Grid, x.launch.Print, x.launch.Stop, x.launch.Single = l.Args, l.Grid, l.Print, l.Stop, single
	x.Begin(c.code, &x.launch, workers)
}

// runExact runs an instance that the machine code gives up on. That it cannot be
// compiled portably is a fault of the compiler's, as a crash is.
func (x *amd64Job) runExact(program int) *ir.Failure {
	p, err := x.exact()
	if err != nil {
		panic(err)
	}
	l := &portable.Launch{Args: x.launch.Args, Grid: x.launch.Grid, Print: x.launch.Print, Stop: x.launch.Stop}
	return p.run(l, program, program+1)
}

// Aside makes a small Func runnable by the portable engine.
func Aside(f *ir.Func) (amd64.Runner, error) {
	if err := ir.Verify(f); err != nil {
		return nil, err
	}
	p, err := newPortable(f)
	if err != nil {
		return nil, err
	}
	return func(args []ir.Arg) *ir.Failure {
		return p.run(&portable.Launch{Args: args, Grid: [3]int{1, 1, 1}}, 0, 1)
	}, nil
}

// LeftToGo is what an engine's code leaves to Go each time that it comes there, with the lines.
func LeftToGo(c Code) (list []string) {
	machine, ok := c.(interface{ machineCode() *amd64.Code })
	if !ok {
		return nil
	}
	for _, x := range machine.machineCode().LeftToGo() {
		list = append(list, fmt.Sprintf("line %d: %s", x.Value.Pos.Line, x.What))
	}
	return list
}
