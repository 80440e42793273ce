package inspect

import (
	"fmt"
	"strings"
)

// A Cost says by what machine code does a line of a kernel, and what keeps it from better.
type Cost struct {
	File string // shortened as in messages
	Line int
	Text string // of the line
	By   string // "vectors", "one product over the grid", "one lane at a time", "Go"
	Why  string // "" for what is done as well as can be
	Slow bool   // one lane at a time, or by Go

	Programs int // that are done at once
}

// CostText is costs as a table, one line of source each.
func CostText(costs []Cost) string {
	if len(costs) == 0 {
		return "no line works on tiles\n"
	}
	wide := 0
	for _, c := range costs {
		wide = max(wide, len(c.By))
	}
	var b strings.Builder
	if n := costs[0].Programs; n > 1 {
		fmt.Fprintf(&b, "%s\n", atOnce(n))
	}
	file := ""
	for _, c := range costs {
		if c.File != file {
			file = c.File
			fmt.Fprintf(&b, "%s\n", file)
		}
		mark := ' '
		if c.Slow {
			mark = '!'
		}
		fmt.Fprintf(&b, "%c %4d  %-*s  %s\n", mark, c.Line, wide, c.By, c.Text)
		if c.Why != "" {
			fmt.Fprintf(&b, "        %s\n", c.Why)
		}
	}
	return b.String()
}

// atOnce says that programs are lanes.
func atOnce(programs int) string {
	return fmt.Sprintf("%d programs at once, whose elements lie side by side", programs)
}
