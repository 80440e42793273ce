package ir

import (
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// texts is functions by name: those written by hand, and those that the front end's
// goldens hold.
func texts(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	names, _ := filepath.Glob("testdata/good/*.ir")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	names, _ = filepath.Glob("../frontend/testdata/lower/*.txtar")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, ir, _ := strings.Cut(string(text), "-- ir --\n")
		for i, f := range strings.SplitAfter(ir, "\n}\n") {
			if at := strings.Index(f, "func "); at >= 0 {
				all[name+"#"+strconv.Itoa(i)] = f[at:]
			}
		}
	}
	return all
}

func TestRoundTrip(t *testing.T) {
	all := texts(t)
	if len(all) < 12 {
		t.Errorf("only %d functions", len(all))
	}
	for name, text := range all {
		f, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := Verify(f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := f.String(); got != text {
			t.Errorf("%s: printed as\n%s", name, got)
		}
		f.Renumber()
		if err := Verify(f); err != nil {
			t.Errorf("%s, renumbered: %v", name, err)
		}
		if again := MustParse(f.String()); again.String() != f.String() {
			t.Errorf("%s, renumbered: printed as\n%s", name, again)
		}
	}
}

// TestOpsCovered proves that the hand-written functions have every op that a Func may
// hold.
func TestOpsCovered(t *testing.T) {
	seen := map[op.Op]bool{}
	for _, text := range texts(t) {
		f, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		f.Values(func(v *Value) { seen[v.Op] = true })
	}
	for o := op.None + 1; o < NumOps; o++ {
		switch fam := Family(o); {
		case o < op.NumOps && (fam == op.Elementwise || fam == op.Primitive || fam == op.Atomic || o == op.Full || o >= op.MultipleOf):
			continue // one of a family is enough; promises are not in a Func
		case o == op.Max || o == op.Min || o == op.ArgMin || o == op.MinIndex || o == op.XorSum || o == op.OrSum || o == op.CumProd:
			continue // as Sum, ArgMax, MaxIndex and CumSum
		}
		if !seen[o] {
			t.Errorf("no function has %s", OpName(o))
		}
	}
}

var wantLine = regexp.MustCompile(`^// WANT (".*")\n`)

// TestVerifyBad has one broken rule per file of testdata/bad, whose first line says
// what Verify must find.
func TestVerifyBad(t *testing.T) {
	names, _ := filepath.Glob("testdata/bad/*.ir")
	if len(names) < 90 {
		t.Errorf("only %d files", len(names))
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m := wantLine.FindStringSubmatch(string(text))
		if m == nil {
			t.Errorf("%s: no // WANT line", name)
			continue
		}
		want, err := strconv.Unquote(m[1])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f, err := Parse(string(text[len(m[0]):]))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := Verify(f); err == nil || !regexp.MustCompile(want).MatchString(err.Error()) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

// TestVerifyBuilt has broken rules that no text expresses.
func TestVerifyBuilt(t *testing.T) {
	build := func(change func(f *Func, v *Value)) *Func {
		f := MustParse("func k(v1 i64 \"n\") \"k.go\" {\n  v2 i64 = add v1 v1\n  return\n}\n")
		change(f, f.Body.Values[0])
		return f
	}
	for want, change := range map[string]func(f *Func, v *Value){
		"used twice":           func(f *Func, v *Value) { v.ID = 1 },
		"out of range":         func(f *Func, v *Value) { v.ID = 99 },
		"operand 1 is not":     func(f *Func, v *Value) { v.Args[1] = nil },
		"parameter 0 is param": func(f *Func, v *Value) { f.Params[0].Index = 3 },
		"parameter 0 is add":   func(f *Func, v *Value) { f.Params[0].Op = op.Add },
		"unknown op":           func(f *Func, v *Value) { v.Op = NumOps + 3 },
		"not an op|unknown op": func(f *Func, v *Value) { v.Op = NumOps },
		"operands of \\*float32": func(f *Func, v *Value) {
			v.Type.D, f.Params[0].Type.D = dtype.PointerTo(dtype.Float32), dtype.PointerTo(dtype.Float32)
		},
	} {
		if err := Verify(build(change)); err == nil || !regexp.MustCompile(want).MatchString(err.Error()) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	const head = "func k(v1 i64 \"n\") \"k.go\" {\n"
	for text, want := range map[string]string{
		"":                                         `want "func"`,
		"func k(v1 i64 \"n\")":                     "want a quoted string",
		"func k(v1 i99 \"n\") \"k.go\" {":          "unknown dtype",
		"func k(1 i64 \"n\") \"k.go\" {":           "not a value's name",
		head:                                       "ends inside a block",
		head + "  v1 i64 = const 0\n}":             "defined twice",
		head + "  v2 i64 = nothing v1\n}":          "no op is called",
		head + "  v2 i64 = add v1 v3\n}":           "v3 is not defined",
		head + "  v2 i64 = add v1 #x\n}":           "not a number",
		head + "  v2 i64 = add v1 sideways\n}":     "unknown attribute",
		head + "  v2 f32 = const 1.5\n}":           "not a float's bits",
		head + "  v2 u8 = const -1\n}":             "not a constant",
		head + "  v2 i64 = const x\n}":             "not a constant",
		head + "  v2 i32[1,2,3,4,5,6] = arange\n}": "bad shape",
		head + "  v2 i32[a] = arange\n}":           "bad shape",
		head + "  return\n}\nmore":                 "text after the function",
		head + "  v2 i64 add v1 v1\n}":             `want "="`,
		head + "  return @x:y\n}":                  "not a number",
		head + "  print \"a\n}":                    "quoted",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// TestAccessors checks what passes and engines ask of values.
func TestAccessors(t *testing.T) {
	text, err := os.ReadFile("testdata/good/ops.ir")
	if err != nil {
		t.Fatal(err)
	}
	f := MustParse(string(text))
	byID := map[int]*Value{}
	f.Values(func(v *Value) { byID[v.ID] = v })
	for _, c := range []struct {
		id                  int
		pure, fails, writes bool
	}{
		{10, true, false, false}, {23, true, false, false}, {24, true, false, false}, {31, false, true, false},
		{34, true, false, false}, {36, false, true, false}, {37, true, false, false}, {41, false, true, false},
		{43, false, true, true}, {45, false, true, false},
	} {
		v := byID[c.id]
		if v.Pure() != c.pure || v.CanFail() != c.fails || v.Writes() != c.writes {
			t.Errorf("%s %s: pure %v, fails %v, writes %v", v.Name(), OpName(v.Op), v.Pure(), v.CanFail(), v.Writes())
		}
	}
	m := byID[41].Memory()
	if m.Ptr != byID[40] || m.Mask != byID[11] || m.Other != byID[8] || m.Val != nil {
		t.Errorf("the load's operands are %v", m)
	}
	m = byID[44].Memory()
	if m.Ptr != byID[37] || m.Cmp != byID[7] || m.Val != byID[42] || m.Mask != nil {
		t.Errorf("the compare-and-swap's operands are %v", m)
	}
	if p := byID[9].Pos; p != (diag.Pos{File: "other.go", Line: 3, Col: 4}) {
		t.Errorf("position %v", p)
	}
	f.Replace(map[*Value]*Value{byID[9]: byID[8], byID[8]: byID[12]})
	if byID[10].Args[0] != byID[12] || byID[10].Args[1] != byID[12] {
		t.Error("a chain of replacements is not followed")
	}
}

// TestDivisionByConstant: a division by a constant that is not 0 cannot fail.
func TestDivisionByConstant(t *testing.T) {
	f := MustParse(`func k(v1 i64 "n") "k.go" {
  v2 i64 = const 3
  v3 i64 = const 0
  v4 i64[4] = broadcast v2
  v5 i64[4] = broadcast v1
  v6 i64 = mod v1 v2
  v7 i64 = mod v1 v3
  v8 i64 = mod v2 v1
  v9 i64[4] = floordiv v5 v4
  v10 i64[4] = floordiv v4 v5
  return
}
`)
	for i, want := range []bool{false, true, true, false, true} {
		if v := f.Body.Values[4+i]; v.CanFail() != want || v.Pure() == want {
			t.Errorf("%s: can fail is %v", v.Name(), v.CanFail())
		}
	}
}

// checkText parses, verifies and prints a text, if it parses.
func checkText(t *testing.T, text string) (parsed, verified bool) {
	fn, err := Parse(text)
	if err != nil {
		return false, false
	}
	err = Verify(fn) // must not panic
	printed := fn.String()
	if printed != fn.String() {
		t.Fatal("printed twice, the texts differ")
	}
	again, perr := Parse(printed)
	if perr != nil {
		t.Fatalf("%v\n%s", perr, printed)
	}
	if got := again.String(); got != printed {
		t.Fatalf("printed\n%s\nthen\n%s", printed, got)
	}
	return true, err == nil
}

// class is what kind of word a word of IR text is: a value, a type, a number or a
// name.
func class(word string) int {
	for i, re := range classes {
		if re.MatchString(word) {
			return i
		}
	}
	return len(classes)
}

var classes = []*regexp.Regexp{
	regexp.MustCompile(`^v\d+$`),
	regexp.MustCompile(`^\*?[iufb](\d+|ool|f16)`),
	regexp.MustCompile(`^\d`),
}

// TestMutations parses and verifies functions with words replaced by others and lines
// moved.
func TestMutations(t *testing.T) {
	n := 1000
	if os.Getenv("TILER_LONG") != "" {
		n = 30_000
	}
	var all []string
	byName := texts(t)
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all = append(all, byName[name])
	}
	word := regexp.MustCompile(`[\w.*]+(\[[\d,]*\])?`)
	parsed, verified := 0, 0
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		text := all[r.IntN(len(all))]
		for range 1 + r.IntN(4) {
			spans := word.FindAllStringIndex(text, -1)
			a := spans[r.IntN(len(spans))]
			by := text[a[0]:a[1]]
			for range 30 {
				if b := spans[r.IntN(len(spans))]; class(text[b[0]:b[1]]) == class(text[a[0]:a[1]]) {
					by = text[b[0]:b[1]]
					break
				}
			}
			if r.IntN(3) == 0 {
				lines := strings.Split(text, "\n")
				i, k := r.IntN(len(lines)), r.IntN(len(lines))
				lines[i], lines[k] = lines[k], lines[i]
				text = strings.Join(lines, "\n")
			} else {
				text = text[:a[0]] + by + text[a[1]:]
			}
		}
		p, v := checkText(t, text)
		if p {
			parsed++
		}
		if v {
			verified++
		}
	}
	t.Logf("%d of %d parsed, %d verified", parsed, n, verified)
	if parsed < n/10 {
		t.Errorf("only %d of %d parsed", parsed, n)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range texts(f) {
		f.Add(text)
	}
	names, _ := filepath.Glob("testdata/bad/*.ir")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		_, body, _ := strings.Cut(string(text), "\n")
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, text string) { checkText(t, text) })
}

// TestMathResults proves that functions of package math of all types are called with their operands.
func TestMathResults(t *testing.T) {
	f64, f32 := math.Float64bits, func(x float32) uint64 { return uint64(math.Float32bits(x)) }
	for _, c := range []struct {
		name string
		i    int
		in   [2]uint64
		want uint64
	}{
		{"Exp", 0, [2]uint64{}, f64(1)}, {"Pow", 0, [2]uint64{f64(2), f64(3)}, f64(8)},
		{"Modf", 0, [2]uint64{f64(2.5)}, f64(2)}, {"Modf", 1, [2]uint64{f64(2.5)}, f64(0.5)},
		{"Frexp", 0, [2]uint64{f64(6)}, f64(0.75)}, {"Frexp", 1, [2]uint64{f64(6)}, 3},
		{"Ldexp", 0, [2]uint64{f64(3), 2}, f64(12)},
		{"Jn", 0, [2]uint64{2, f64(0)}, f64(0)}, {"Yn", 0, [2]uint64{1, f64(0)}, f64(math.Inf(-1))},
		{"Pow10", 0, [2]uint64{2}, f64(100)},
		{"Ilogb", 0, [2]uint64{f64(0.25)}, 1<<64 - 2}, {"Signbit", 0, [2]uint64{f64(-1)}, 1},
		{"Signbit", 0, [2]uint64{f64(1)}, 0},
		{"Float64bits", 0, [2]uint64{f64(1.5)}, f64(1.5)}, {"Float64frombits", 0, [2]uint64{f64(1.5)}, f64(1.5)},
		{"Float32bits", 0, [2]uint64{f32(1.5)}, f32(1.5)}, {"Float32frombits", 0, [2]uint64{f32(1.5)}, f32(1.5)},
		{"Nextafter32", 0, [2]uint64{0, f32(1)}, 1},
	} {
		if f := MathNamed(c.name); f.Result(c.i, c.in[0], c.in[1]) != c.want {
			t.Errorf("result %d of %s(%x) is %x, want %x", c.i, c.name, c.in, f.Result(c.i, c.in[0], c.in[1]), c.want)
		}
	}
}
