package kerneltest_test

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/kerneltest/random"
)

// TestRandomGo runs random Go kernels in every engine. TILER_SEED=n runs one, and
// SHRINK=1 shows the smallest function that fails like it.
func TestRandomGo(t *testing.T) {
	n := uint64(30)
	switch {
	case os.Getenv("TILER_SEED") != "":
		n = 1
	case long():
		n = 3_000
	}
	counts := map[string]int{}
	first, _ := strconv.ParseUint(os.Getenv("TILER_SEED"), 10, 64)
	for seed := first; seed < first+n; seed++ {
		if err := randomGo(seed, counts); err != nil {
			t.Errorf("seed %d: %v", seed, err)
			shrinkGo(t, seed, seed)
			shrinkGo(t, seed, seed+1)
		}
	}
	t.Logf("of %d kernels: %v", n, counts)
	if counts["refused"] > int(n/4) || counts["failed"] > int(n/2) {
		t.Errorf("of %d kernels too many are no test: %v", n, counts)
	}
}

// randomGo compares one random Go kernel in every engine with the interpreter.
func randomGo(seed uint64, counts map[string]int) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	g := random.Go(seed)
	k := exec.New(g.Fn, exec.Source(g.Text, "k"))
	for _, argSeed := range []uint64{seed, seed + 1} {
		want := runGo(k, argSeed, "interpreted")
		if want.err != "" {
			counts["failed"]++
		}
		for _, engine := range exec.Engines()[1:] {
			got := runGo(k, argSeed, engine)
			switch {
			case strings.HasPrefix(got.err, "k.go:") && strings.Contains(got.err, "in program") == false:
				counts["refused"]++
				counts[strings.SplitN(got.err, "\n", 2)[0]]++
			default:
				if s := got.differs(want); s != "" {
					return fmt.Errorf("%s: %s\n%s", engine, s, g.Text)
				}
			}
		}
	}
	return nil
}

func runGo(k *exec.Kernel, seed uint64, engine string) (o outcome) {
	w, args := random.GoArgs(seed)
	o.made.World = w
	var out bytes.Buffer
	if err := k.With(exec.Options{Engine: engine, Output: &out, Workers: 1}).Launch(exec.Grid{2}, args...); err != nil {
		o.err = err.Error()
	}
	o.printed = out.String()
	return o
}
