package repl_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/repl"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/picture"
	tl "github.com/tiler-go/tiler/tilelang"
)

// TestStepsOfPython: those who show a session elsewhere step through kernels of Python, too; what they
// answer ends the walk at once.
func TestStepsOfPython(t *testing.T) {
	file := filepath.Join(t.TempDir(), "twice.py")
	text := "import triton\nimport triton.language as tl\n\n@triton.jit\ndef twice(x, n):\n    for i in range(n):\n        v = i * 2\n    tl.store(x, n)\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, ctx := repl.New(repl.Options{Out: io.Discard}), context.Background()
	if err := s.Eval(ctx, ":load "+file); err != nil {
		t.Fatal(err)
	}
	if err := s.Eval(ctx, "x := tensor.Zeros(tl.Int32, 1)"); err != nil {
		t.Fatal(err)
	}
	enough, of := errors.New("enough"), 0
	var got strings.Builder
	err := s.Steps(ctx, "twice[3](x, 1000000000)", 2, func(p *tl.Program, n int) { of = n - p.ID(0) }, func(st cell.Step, values []picture.Picture) error {
		fmt.Fprintln(&got, st.Pos.Line, st.Source, st.Names, len(values))
		if st.Pos.Line == 7 {
			return enough
		}
		return nil
	})
	if want := "6 for i in range(n): [i] 1\n7 v = i * 2 [v] 1\n"; err != enough || of != 1 || got.String() != want {
		t.Errorf("%v, %d\n%s", err, of, got.String())
	}
}
