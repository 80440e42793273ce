package puzzles_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"io"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/learn"
	"github.com/tiler-go/tiler/repl/learn/puzzles"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// The files of testdata/wrong are answers to the puzzles that are wrong, and what the judge says.
// One is the skeleton; the others are the solution with lines "old ⇒ new" of text that is replaced,
// or a kernel of their own.
//
//	UPDATE=1 go test ./repl/learn/puzzles    writes what the judge says

// TestWrong: what is wrong is found, by the finding that teaches it. The kernels are written as at
// the prompt, and interpreted as there.
func TestWrong(t *testing.T) {
	for _, p := range puzzles.Course.Puzzles {
		t.Run(p.Name, func(t *testing.T) {
			path := fmt.Sprintf("testdata/wrong/%02d_%s.txtar", p.Number(), strings.ToLower(p.Name))
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Files) < 4 || a.Files[0].Name != "skeleton" {
				t.Fatal("there are to be the skeleton and another wrong answer, each with a verdict")
			}
			for i := 0; i+1 < len(a.Files); i += 2 {
				answer, said := a.Files[i], &a.Files[i+1]
				got, right := judge(t, p, learn.Sugar(answered(t, p, string(answer.Data))))
				if right {
					t.Errorf("%s: it is right", answer.Name)
				}
				if os.Getenv("UPDATE") == "" && got != string(said.Data) {
					t.Errorf("%s: got\n%s\nwant\n%s", answer.Name, got, said.Data)
				}
				said.Data = []byte(got)
			}
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// answered is the kernel that a file of an archive stands for.
func answered(t *testing.T, p *learn.Puzzle, text string) string {
	t.Helper()
	switch {
	case strings.TrimSpace(text) == "":
		return p.Skeleton()
	case strings.HasPrefix(text, "func "):
		return text
	}
	kernel := p.Solution()
	for l := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		old, with, ok := strings.Cut(l, " ⇒")
		with = strings.TrimPrefix(with, " ")
		if !ok || !strings.Contains(kernel, old) {
			t.Fatalf("the solution does not contain %q", old)
		}
		kernel = strings.ReplaceAll(kernel, old, with)
	}
	return kernel
}

// judge is what the judge says of a text.
func judge(t *testing.T, p *learn.Puzzle, text string) (said string, right bool) {
	t.Helper()
	s := cell.New(cell.Options{})
	s.ImportUsual()
	if err := s.Eval(context.Background(), text); err != nil {
		t.Fatalf("%v\n%s", s.Render(err), text)
	}
	k, err := s.Kernel(p.Name)
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Judge(context.Background(), k, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return v.Picture().String() + "\n", v.Right()
}

// TestSugared: the solutions as they are shown at the prompt are right, too.
func TestSugared(t *testing.T) {
	for _, p := range puzzles.Course.Puzzles {
		if said, right := judge(t, p, learn.Sugar(p.Solution())); !right {
			t.Errorf("%s\n%s", learn.Sugar(p.Solution()), said)
		}
	}
}

// TestAlsoRight: there are other ways to solve a puzzle than ours.
func TestAlsoRight(t *testing.T) {
	a, err := txtar.ParseFile("testdata/right.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		name, _, _ := strings.Cut(f.Name, ": ")
		p, err := puzzles.Course.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		if said, right := judge(t, p, string(f.Data)); !right {
			t.Errorf("%s:\n%s", f.Name, said)
		}
	}
}

// TestEnded: a judge who is told to stop says why.
func TestEnded(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := puzzles.Course.Puzzles[0].Judge(ctx, exec.New(func() {}), io.Discard); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// TestFiles: the files to complete, and those that are right, are programs that run.
func TestFiles(t *testing.T) {
	for _, p := range puzzles.Course.Puzzles {
		for _, function := range []string{p.Skeleton(), p.Solution()} {
			s := cell.New(cell.Options{})
			text := p.File(function, "puzzle.go")
			if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
				t.Errorf("%s is not formatted: %v", p.Name, err)
			}
			err := s.RunFile(context.Background(), "puzzle.go", text)
			var exit cell.ExitError
			if err != nil && (function == p.Solution() || !errors.As(err, &exit)) {
				t.Errorf("%s\n%s", s.Render(err), text)
			}
		}
	}
}

// TestExercises: the kernel that an exercise begins with runs, and is wrong; its solution, as it is
// shown at the prompt, is right.
func TestExercises(t *testing.T) {
	for _, p := range puzzles.Course.Exercises {
		if got, right := judge(t, p, learn.Sugar(p.Skeleton())); right || !strings.Contains(got, "error: ") {
			t.Errorf("%s: %s", p.Name, got)
		}
		if got, right := judge(t, p, learn.Sugar(p.Solution())); !right {
			t.Errorf("%s: %s", p.Name, got)
		}
	}
}

// TestArguments: the arguments of the first case as text are its arguments.
func TestArguments(t *testing.T) {
	s := cell.New(cell.Options{})
	s.ImportUsual()
	for _, p := range puzzles.Course.Puzzles {
		for _, a := range p.Cases[0].Args {
			v, err := s.Evaluate(context.Background(), a.Text)
			if err != nil {
				t.Fatal(s.Render(err))
			}
			got, isTensor := v.V.(*tensor.Tensor)
			if want := a.Value(); isTensor && !tensor.Equal(got, want.(*tensor.Tensor)) || !isTensor && v.V != want {
				t.Errorf("%s: %s is %v, want %v", p.Name, a.Text, v.V, want)
			}
		}
	}
}

// TestFilesBuild: Go compiles them, too; the skeletons in one package, the solutions in another.
func TestFilesBuild(t *testing.T) {
	if os.Getenv("TILER_LONG") == "" {
		t.Skip("the go command compiles them: TILER_LONG=1 runs it")
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string]string{}
	for _, p := range puzzles.Course.Puzzles {
		for pkg, function := range map[string]string{"skeletons": p.Skeleton(), "solutions": p.Solution()} {
			text := strings.Replace(p.File(function, "puzzle.go"), "\nfunc main() {", "\nfunc init() {", 1)
			file := filepath.Join(t.TempDir(), "puzzle.go")
			if err := os.WriteFile(file, []byte(strings.Replace(text, "\npackage main\n", "\npackage puzzles\n", 1)), 0o644); err != nil {
				t.Fatal(err)
			}
			overlay[filepath.Join(dir, pkg, p.Name+".go")] = file
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := osexec.Command("go", "build", "-overlay", file, "-o", os.DevNull, "./skeletons", "./solutions").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
