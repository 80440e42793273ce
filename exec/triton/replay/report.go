package replay

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Report is what became of the launches of an archive.
type Report struct {
	Results  []Result `json:"results"`
	Launches int      `json:"launches"`
	Right    int      `json:"right"`
	Flagged  int      `json:"flagged"`
	Refused  int      `json:"refused"`
	Wrong    int      `json:"wrong"`
}

// All replays all launches; each is told of each as it is done.
func (r *Runner) All(each func(done int)) *Report {
	z := &Report{Launches: len(r.Archive.Launches)}
	for i, l := range r.Archive.Launches {
		z.add(r.Run(l))
		each(i + 1)
	}
	return z
}

func (z *Report) add(r Result) {
	z.Results = append(z.Results, r)
	*map[Verdict]*int{Right: &z.Right, Flagged: &z.Flagged, Refused: &z.Refused, Wrong: &z.Wrong}[r.Verdict]++
}

// String is a line for each launch that is not right, a table of reasons, and the sums.
func (z *Report) String() string {
	var b strings.Builder
	reasons := map[string]int{}
	for _, r := range z.Results {
		if r.Verdict == Right {
			continue
		}
		first, _, _ := strings.Cut(r.Text, "\n")
		fmt.Fprintf(&b, "%s %s: %s: %s\n", r.Launch, r.Kernel, r.Verdict, first)
		reasons[string(r.Verdict)+": "+r.Reason]++
	}
	if len(reasons) > 0 {
		b.WriteString("\n")
	}
	keys := slices.SortedFunc(maps.Keys(reasons), func(x, y string) int {
		return cmp.Or(reasons[y]-reasons[x], strings.Compare(x, y))
	})
	for _, k := range keys {
		fmt.Fprintf(&b, "%4d  %s\n", reasons[k], k)
	}
	if len(reasons) > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "replay: launches=%d right=%d flagged=%d refused=%d wrong=%d\n", z.Launches, z.Right, z.Flagged, z.Refused, z.Wrong)
	return b.String()
}
