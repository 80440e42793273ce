package bench

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tiler-go/tiler/exec"
)

// A side is one way of doing a row's work, ready to be run.
type side interface {
	// run does the work n times and gives the seconds that all of them took.
	run(n int) (seconds float64, err error)
	close()
}

// sideMaker makes a side that is not a launch of a program.
type sideMaker func(setup) (side, error)

// A launchSide launches a program.
type launchSide struct {
	program
	k *exec.Kernel
}

// newLaunchSide launches the program once and checks its result.
func newLaunchSide(p program, s setup) (side, error) {
	l := launchSide{p, p.kernel(exec.Options{Engine: s.engine, Workers: s.threads})}
	if _, err := l.run(1); err != nil {
		return nil, err
	}
	if p.out != nil {
		if err := p.want.check(elementsOf(p.out)); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l launchSide) run(n int) (float64, error) {
	var grid exec.Space = l.grid // to make one for each launch takes as long as a tenth of it
	start := time.Now()
	for range n {
		if err := l.k.Launch(grid, l.args...); err != nil {
			return 0, err
		}
	}
	return time.Since(start).Seconds(), nil
}

func (l launchSide) close() {}

// A compileSide makes a new kernel of a program's text every time, and launches it,
// because kernels are compiled when they are first launched.
type compileSide struct {
	program
	text  string
	setup setup
	made  *int
}

func newCompileSide(build func() program) sideMaker {
	return func(s setup) (side, error) {
		p := build()
		text, err := textOf(p.name)
		if err != nil {
			return nil, err
		}
		c := compileSide{p, text, s, new(int)}
		_, err = c.run(1)
		return c, err
	}
}

func (c compileSide) run(n int) (float64, error) {
	start := time.Now()
	for range n {
		// A text that was compiled before would be known.
		*c.made++
		k := exec.New(c.fn, exec.Source(c.text+"\n// "+strconv.Itoa(*c.made)+"\n", c.name), exec.Options{Engine: c.setup.engine, Workers: 1})
		if err := k.Launch(c.grid, c.args...); err != nil {
			return 0, err
		}
	}
	return time.Since(start).Seconds(), nil
}

func (c compileSide) close() {}

// textOf is a file with one of this package's kernels alone.
func textOf(kernel string) (string, error) {
	head, _, ok := strings.Cut(kernelText, "\n// The kernels of the suites.")
	from := strings.Index(kernelText, "\nfunc "+kernel+"(")
	if !ok || from < 0 {
		return "", fmt.Errorf("kernels.go has no function %s where it is looked for", kernel)
	}
	body, _, _ := strings.Cut(kernelText[from:], "\n}\n")
	return head + body + "\n}\n", nil
}
