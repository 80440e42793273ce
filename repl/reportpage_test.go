package repl_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tiler-go/tiler/repl"
	"github.com/tiler-go/tiler/repl/picture"
)

// TestReportPages: the reports of faults.txtar as a notebook has them. The file is a page: look at it.
func TestReportPages(t *testing.T) {
	a, err := txtar.ParseFile("testdata/session/faults.txtar")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	b := "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>Reports</title>\n"
	s := repl.New(repl.Options{Display: func(p picture.Picture, _ bool) { b += stable(p.HTML()) }})
	for _, text := range inputs(string(a.Files[0].Data)) {
		s.Report(s.Eval(context.Background(), text))
	}
	b = strings.ReplaceAll(b, "><", ">\n<") // so that a difference is a few lines
	const golden = "testdata/faults.html"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(b), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != b {
		t.Errorf("the pages differ, %v:\n%s", err, difference(string(want), b))
	}
}

// TestReportColumns: what the prompt says of the reports of faults.txtar fits into 80 columns.
func TestReportColumns(t *testing.T) {
	text, err := os.ReadFile("testdata/session/faults.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.SplitSeq(string(text), "\n") {
		typed := strings.HasPrefix(l, prompt) || strings.HasPrefix(l, strings.TrimRight(more, " "))
		if n := len([]rune(strings.Replace(l, "\t", "        ", 1))); n > 80 && !typed {
			t.Errorf("%d columns: %s", n, l)
		}
	}
}
