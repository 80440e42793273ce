package cell_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/repl/cell"
)

// The programs in both_*_test.go are compiled by Go as part of this test, and
// interpreted from their source: the results must be equal, or the interpreter must
// have refused the program. A program is a function that returns a string.

var files = map[string][]func() string{
	"both_control_test.go": controlPrograms,
	"both_number_test.go":  numberPrograms,
	"both_data_test.go":    dataPrograms,
	"both_func_test.go":    funcPrograms,
	"both_type_test.go":    typePrograms,
	"both_generic_test.go": genericPrograms,
	"both_conc_test.go":    concPrograms,
	"both_print_test.go":   printPrograms,
	"both_tile_test.go":    tilePrograms,
	"both_order_test.go":   orderPrograms,
	"both_closure_test.go": closurePrograms,
	"both_panic_test.go":   panicPrograms,
}

// run is what a program returns, or how it panics.
func run(f func() string) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprintf("panic: %v", r)
		}
	}()
	return f()
}

func nameOf(f func() string) string {
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	return name[strings.LastIndexByte(name, '.')+1:]
}

func TestBothWays(t *testing.T) {
	total := 0
	for file, programs := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(strings.TrimPrefix(file, "both_"), "_test.go"), func(t *testing.T) {
			var out, trace bytes.Buffer
			s := cell.New(cell.Options{
				Out:   &out,
				Show:  func(v cell.Value) { fmt.Fprintf(&out, "%v", v.V) },
				Note:  func(text string) { t.Error(text) },
				Trace: func(_, text string) { trace.WriteString(text) },
			})
			src := string(text)
			src = src[strings.Index(src, "\n"):strings.Index(src, "\nvar "+strings.TrimSuffix(strings.TrimPrefix(file, "both_"), "_test.go")+"Programs")]
			if err := s.Eval(context.Background(), src); err != nil {
				if os.Getenv("TRACE") != "" {
					t.Log(trace.String())
				}
				t.Fatal(err)
			}
			for _, p := range programs {
				name := nameOf(p)
				out.Reset()
				if err := s.Eval(context.Background(), name+"()"); err != nil {
					text := err.Error()
					if i := strings.Index(text, "panic: "); i >= 0 {
						text = text[i:]
					}
					fmt.Fprint(&out, text)
				}
				if got, want := out.String(), strings.ReplaceAll(run(p), "cell_test.", "main."); got != want {
					t.Errorf("%s\ngot  %s\nwant %s", name, got, want)
				}
			}
		})
		total += len(programs)
	}
	if total < 120 {
		t.Errorf("%d programs, want at least 120", total)
	}
}
