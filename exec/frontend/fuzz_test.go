package frontend

import (
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
)

// mutated is a text with some of its tokens replaced by others of their kind, and
// lines repeated, dropped or swapped: it still parses more often than not.
func mutated(text string, seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		if r.IntN(4) == 0 {
			text = mutateLines(r, text)
		} else {
			text = mutateToken(r, text)
		}
	}
	return text
}

func mutateLines(r *rand.Rand, text string) string {
	lines := strings.Split(text, "\n")
	i, k := r.IntN(len(lines)), r.IntN(len(lines))
	switch r.IntN(3) {
	case 0:
		lines[i] = ""
	case 1:
		lines[i] += "\n" + lines[k]
	default:
		lines[i], lines[k] = lines[k], lines[i]
	}
	return strings.Join(lines, "\n")
}

var extraTokens = []string{"0", "1", "-1", "1.5", "true", "nil", "n", "x", "p", "BLOCK", "break", "continue", "return", "+", "*", "/", "%", "<<", "&&", "==", "<", "1<<40"}

func mutateToken(r *rand.Rand, text string) string {
	type span struct {
		lo, hi int
		tok    token.Token
	}
	var spans []span
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, 0)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if lit == "" {
			lit = tok.String()
		}
		lo := file.Offset(pos)
		if lo+len(lit) <= len(text) && text[lo:lo+len(lit)] == lit {
			spans = append(spans, span{lo, lo + len(lit), tok})
		}
	}
	if len(spans) == 0 {
		return text
	}
	at := spans[r.IntN(len(spans))]
	by := extraTokens[r.IntN(len(extraTokens))]
	if r.IntN(4) > 0 {
		for range 50 {
			o := spans[r.IntN(len(spans))]
			if o.tok == at.tok || o.tok.IsOperator() && at.tok.IsOperator() && o.tok.Precedence() > 0 && at.tok.Precedence() > 0 {
				by = text[o.lo:o.hi]
				break
			}
		}
	}
	return text[:at.lo] + by + text[at.hi:]
}

// seedTexts are kernels to mutate.
func seedTexts(t testing.TB) (texts []string) {
	for _, pattern := range []string{"testdata/*.go.txt", "../golden/kernels.go"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			if filepath.Base(name) == "large.go.txt" {
				continue // every mutation of it takes long
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(text))
		}
	}
	names, _ := filepath.Glob("testdata/lower/*.txtar")
	for _, name := range names {
		_, files := readArchive(t, name)
		texts = append(texts, files[0].text)
	}
	return texts
}

// checkSource compiles whatever kernels a text holds: each gives errors or IR that
// verifies and reads back.
func checkSource(t *testing.T, text string) (compiled, rejected int) {
	file, err := gofile.Load("k.go", text)
	if err != nil {
		return 0, 0
	}
	file.Errors()
	for _, k := range file.Kernels() {
		params, err := file.Params(k)
		if err != nil {
			continue
		}
		fn, _, err := Compile(file, k, anyArgs(params))
		if err != nil {
			rejected++
			continue
		}
		compiled++
		if err := ir.Verify(fn); err != nil {
			t.Fatalf("%v\n%s\n%s", err, fn, text)
		}
		if again, err := ir.Parse(fn.String()); err != nil || again.String() != fn.String() {
			t.Fatalf("parsed back: %v\n%s", err, fn)
		}
	}
	return compiled, rejected
}

// TestMutations compiles mutations of the seed texts.
func TestMutations(t *testing.T) {
	n := 200
	if os.Getenv("TILER_LONG") != "" {
		n = 20_000
	}
	texts := seedTexts(t)
	compiled, rejected := 0, 0
	for seed := range n {
		text := mutated(texts[seed%len(texts)], uint64(seed), 1+seed%5)
		defer func() {
			if t.Failed() {
				t.Logf("seed %d", seed)
			}
		}()
		c, r := checkSource(t, text)
		compiled, rejected = compiled+c, rejected+r
	}
	t.Logf("%d kernels compiled, %d rejected", compiled, rejected)
	if compiled < n/10 {
		t.Errorf("only %d of %d mutations compile", compiled, n)
	}
}

// FuzzSource is checkSource for what the fuzzer finds: nothing may panic.
func FuzzSource(f *testing.F) {
	for i, text := range seedTexts(f) {
		f.Add(text, uint64(i), uint8(0))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64, mutations uint8) {
		if len(text) < 1<<14 {
			checkSource(t, mutated(text, seed, int(mutations%8)))
		}
	})
}
