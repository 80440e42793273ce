package pass_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
)

// TestRuns makes runs of the functions of an archive: NAME/in gives NAME/out, which is NAME/in if there are none.
func TestRuns(t *testing.T) {
	eachOfArchive(t, "runs", func(name, text string) string {
		f := ir.MustParse(text)
		before := f.String()
		r := pass.Runs(f)
		if err := ir.Verify(r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if f.String() != before {
			t.Errorf("%s: what it is made of has changed", name)
		}
		got := r.String()
		if again, err := ir.Parse(got); err != nil || again.String() != got {
			t.Errorf("%s: the text is not read back: %v", name, err)
		}
		return got
	})
}
