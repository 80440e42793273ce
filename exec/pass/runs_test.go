package pass_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
)

// TestRuns makes runs of the functions of an archive: NAME/in gives NAME/out, which is NAME/in if there are none.
func TestRuns(t *testing.T) {
	const file = "testdata/runs.txtar"
	comment, files := readArchive(t, file)
	var updated strings.Builder
	updated.WriteString(comment)
	for i, f := range files {
		name, ok := strings.CutSuffix(f.name, "/in")
		if !ok {
			continue
		}
		fn := ir.MustParse(f.text)
		r := pass.Runs(fn)
		if err := ir.Verify(r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if fn.String() != ir.MustParse(f.text).String() {
			t.Errorf("%s: what it is made of has changed", name)
		}
		got := r.String()
		if again, err := ir.Parse(got); err != nil || again.String() != got {
			t.Errorf("%s: the text is not read back: %v", name, err)
		}
		fmt.Fprintf(&updated, "-- %s/in --\n%s-- %s/out --\n%s", name, f.text, name, got)
		if os.Getenv("UPDATE") == "" && (i+1 == len(files) || files[i+1].text != got) {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(updated.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
