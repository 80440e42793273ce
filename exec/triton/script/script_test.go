package script_test

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/triton/script"
)

// run runs a script of testdata, if there is a Python with what it needs.
func run(t *testing.T, o script.Options, file string, modules ...string) (status int, out, errs string) {
	t.Helper()
	p, err := script.Find(t.Context(), modules...)
	if err != nil || len(p.Lacks) > 0 {
		t.Skipf("no Python with %v here: %v", modules, err)
	}
	t.Setenv("TILER_PYTHON", p.Path)
	var stdout, stderr bytes.Buffer
	o.Out, o.Err, o.In = &stdout, &stderr, strings.NewReader("")
	status, err = script.Run(context.Background(), o, "testdata/"+file)
	if err != nil {
		t.Fatalf("%v\n%s%s", err, stdout.String(), stderr.String())
	}
	return status, stdout.String(), stderr.String()
}

// TestScript: what scripts do works, and the exit status is theirs.
func TestScript(t *testing.T) {
	status, out, errs := run(t, script.Options{}, "launches.py", "numpy")
	if status != 7 || errs != "" || strings.Count(out, "\nok ")+1 < 15 {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	if !strings.Contains(out, "before\nn is 5\nafter") && !strings.Contains(out, "n is") {
		t.Errorf("printed out of order:\n%s", out)
	}
}

// TestInterrupt: an interrupt ends a launch, and a script that is killed ends the serving.
func TestInterrupt(t *testing.T) {
	status, out, errs := run(t, script.Options{}, "interrupted.py")
	if status != 128+9 || out != "interrupted\n1.0\n" || errs != "" {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}

// TestMailbox: see mailbox.py. With one processor nobody looks, and everybody is woken.
func TestMailbox(t *testing.T) {
	for _, n := range []int{runtime.GOMAXPROCS(0), 1} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
		status, out, errs := run(t, script.Options{}, "mailbox.py")
		if status != 0 || !strings.HasSuffix(out, "fine\n") || len(out) < 64<<10 {
			t.Errorf("%d processors: status %d, %d bytes\n%s", n, status, len(out), errs)
		}
	}
}

// TestWaits: see waits.py. It takes as long as a trial waits before it gives up.
func TestWaits(t *testing.T) {
	if os.Getenv("TILER_LONG") == "" {
		t.Skip("set TILER_LONG=1 for programs that wait")
	}
	status, out, errs := run(t, script.Options{}, "waits.py")
	if status != 0 || out != "fine\n" {
		t.Errorf("status %d\n%s", status, errs)
	}
}

// TestTorch: see gpu.py. Its import takes a second, and is not for every run.
func TestTorch(t *testing.T) {
	if os.Getenv("TILER_LONG") == "" {
		t.Skip("set TILER_LONG=1 to import PyTorch")
	}
	status, out, errs := run(t, script.Options{}, "gpu.py", "torch")
	if status != 0 || !strings.HasSuffix(out, "fine\n") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}
