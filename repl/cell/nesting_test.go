package cell

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestDeep: what nests deeper than anybody means is refused at once, with its place; what
// is merely long works.
func TestDeep(t *testing.T) {
	many := strings.Repeat
	c := newUsable(t)
	for _, x := range []struct{ name, src, want string }{
		{"functions", many("func(){", 3000) + many("}()", 3000), "1:1797: brackets nest 3000 deep here, at most 256 are allowed"},
		{"open functions", many("func(){\n", 3000), "257:5: brackets nest 3000 deep here"},
		{"parentheses", many("(", 300) + "1" + many(")", 300), "1:257: brackets nest 300 deep here"},
		{"brackets", "_ = " + many("[]any{", 10_000) + many("}", 10_000), "brackets nest 10000 deep here"},
		{"blocks", many("{", 1000) + many("}", 1000), "1:257: brackets nest 1000 deep here"},
		{"program", "package main\nfunc main() {" + many("{", 1000) + many("}", 1000) + "}", "brackets nest 1001 deep here"},
		{"within", many("(", 200) + "1" + many(")", 200), "1"},
		{"a sum", "one := 1\none" + many("+one", 1500), "1501"},
		{"a sum of tiles", "row := tl.Arange(0, 2)\nrow" + many("+row", 500), "tile([  0, 501])"},
		{"a longer sum", "one" + many("+one", 15_000), "over 2000 operators, calls or branches one within the other"},
		{"signs", many("- ", 3000) + "one", "over 2000 operators"},
		{"calls", "tl.Arange(0, 2)" + many(".Add(1)", 3000), "over 2000 operators"},
		{"branches", "if one == 0 {" + many("} else if one == 2 {", 3000) + "}", "over 2000 operators"},
		{"a type", "var stars " + many("*", 3000) + "int", "over 2000 operators"},
		{"a list", "len([]int{" + many("1, ", 20_000) + "})", "20000"},
		{"a string", `len("` + many("x", 2<<20) + `")`, "2097152"},
		{"statements", many("one = one + 1\n", 3000) + "one", "3001"},
		{"nothing", many("[[((", 1000), "1:257: brackets nest 4000 deep here"},
	} {
		start := time.Now()
		if got := c.eval(x.src); !strings.Contains(got, x.want) {
			t.Errorf("%s: got %.300s, want %s", x.name, got, x.want)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s took %v", x.name, took)
		}
	}
	c.usable(t, "all that")
	for _, src := range []string{"x := " + many("(", 3000) + "te", many("func(){\n", 3000) + "te"} {
		c.Complete(src, len(src)) // neither stops
	}
}

// TestLongFunction: a file may have a function of hundreds of lines.
func TestLongFunction(t *testing.T) {
	body := strings.Repeat("\ta = a + 1 // once\n", 526)
	c := newConsole(t)
	if err := c.RunFile(context.Background(), "long", fmt.Sprintf("a := 0\n%sa", "func f() {\n"+body+"}\nf()\n")); err != nil {
		t.Error(err)
	}
}
