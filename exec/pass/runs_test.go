package pass_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/exec/pass/carried"
	"github.com/tiler-go/tiler/exec/pass/pairs"
	"github.com/tiler-go/tiler/exec/pass/runs"
	"github.com/tiler-go/tiler/exec/pass/woven"
)

// TestRuns makes runs of the functions of an archive: NAME/in gives NAME/out, which is NAME/in if there are none.
func TestRuns(t *testing.T) {
	eachMade(t, "runs", func(f *ir.Func) *ir.Func { return pass.Runs(f, runs.Want{Lanes: 16}) })
}

// TestCarried does so for tiles that loops carry.
func TestCarried(t *testing.T) { eachMade(t, "carried", carried.Run) }

// TestOnce does so for rows of one block.
func TestOnce(t *testing.T) { eachMade(t, "once", pass.Once) }

// TestRounded does so for what stores round.
func TestRounded(t *testing.T) { eachMade(t, "rounded", pass.Rounded) }

// eachMade compares what is made of the functions of an archive, which stay as they are, with its other half.
func eachMade(t *testing.T, archive string, run func(f *ir.Func) *ir.Func) {
	eachOfArchive(t, archive, func(name, text string) string {
		f := ir.MustParse(text)
		before := f.String()
		r := run(f)
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

// TestSwizzled does so for pairs that lie within 16 lanes.
func TestSwizzled(t *testing.T) {
	eachMade(t, "swizzle", func(f *ir.Func) *ir.Func { return pairs.Run(f, 16) })
}

// TestWoven does so for stores to every second element.
func TestWoven(t *testing.T) { eachMade(t, "woven", woven.Run) }
