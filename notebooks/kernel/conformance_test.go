package kernel

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// asKernel makes this test's program a kernel.
const asKernel = "TILER_TEST_KERNEL"

func TestMain(m *testing.M) {
	if os.Getenv(asKernel) == "" {
		os.Exit(m.Run())
	}
	c, err := ReadConnection(os.Args[1])
	if err == nil {
		err = Serve(context.Background(), c, Options{Version: "1", Log: os.Stderr}, nil)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// python is a Python with Jupyter's client.
func python(t *testing.T) string {
	t.Helper()
	for _, path := range []string{"/usr/bin/python3", "python3"} {
		if osexec.Command(path, "-c", "import jupyter_client").Run() == nil {
			return path
		}
	}
	t.Skip("left out: there is no Python with jupyter_client (Debian: jupyter-client)")
	return ""
}

// bars is what the kernel owes its user in seconds. Only ten times as much fails: other
// tests run at the same time.
var bars = map[string]float64{"cell": 0.02, "completion": 0.1, "interrupt": 0.2, "start": 0.4}

// TestConformance: Jupyter's own client finds every message as it expects it.
func TestConformance(t *testing.T) {
	if os.Getenv("TILER_LONG") == "" {
		t.Skip("TILER_LONG=1 runs Jupyter's client; the other tests speak its protocol by themselves")
	}
	python := python(t)
	dir := t.TempDir()
	spec, err := json.Marshal(object{
		"argv": []string{os.Args[0], "{connection_file}"}, "display_name": "tiler", "language": "go",
		"interrupt_mode": "message", "env": object{asKernel: "1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	place := filepath.Join(dir, "kernels", "tiler-test")
	if err := os.MkdirAll(place, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(place, "kernel.json"), spec, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
	defer stop()
	cmd := osexec.CommandContext(ctx, python, "testdata/conformance.py", "tiler-test")
	cmd.Env = append(os.Environ(), "JUPYTER_PATH="+dir, "JUPYTER_RUNTIME_DIR="+t.TempDir())
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, &log)
	}
	judge(t, string(out))
}

// judge reads what the script says.
func judge(t *testing.T, out string) {
	t.Helper()
	n := 0
	for text := range strings.Lines(out) {
		var line struct {
			Name, Detail string
			OK           bool
			Times        map[string]float64
		}
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%v in %q", err, text)
		}
		if line.Times == nil {
			n++
			if !line.OK {
				t.Errorf("%s: %s", line.Name, line.Detail)
			}
		}
		for name, most := range bars {
			if took, ok := line.Times[name]; ok {
				t.Logf("%s: %.1f ms", name, took*1e3)
				if took > 10*most {
					t.Errorf("%s takes %.3f s, want %v", name, took, most)
				}
			}
		}
	}
	if n < 25 {
		t.Errorf("%d messages were tried", n)
	}
}
