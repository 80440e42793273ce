package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// dump is a node as (Kind part part ...), without places.
func dump(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "-"
		}
		return dump(v.Elem())
	case reflect.Slice:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = dump(v.Index(i))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case reflect.Struct:
		parts := []string{v.Type().Name()}
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "Node" && name != "End" && !v.Field(i).IsZero() {
				parts = append(parts, dump(v.Field(i)))
			}
		}
		return "(" + strings.Join(parts, " ") + ")"
	}
	return fmt.Sprint(v.Interface())
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"a + b * -c ** 2", "[(ExprStmt (Binary + (Name a) (Binary * (Name b) (Unary - (Binary ** (Name c) (Number 2))))))]"},
		{"a < b <= c", "[(ExprStmt (Compare (Name a) [< <=] [(Name b) (Name c)]))]"},
		{"x is not None and not y in z", "[(ExprStmt (Binary and (Compare (Name x) [is not] [(Constant None)]) (Unary not (Compare (Name y) [in] [(Name z)]))))]"},
		{"a | b ^ c & d << e", "[(ExprStmt (Binary | (Name a) (Binary ^ (Name b) (Binary & (Name c) (Binary << (Name d) (Name e))))))]"},
		{"x if c else y", "[(ExprStmt (IfExp (Name c) (Name x) (Name y)))]"},
		{"f(a, *b, k=1, **d)", "[(ExprStmt (Call (Name f) [(Arg (Name a)) (Arg 1 (Name b)) (Arg k (Number 1)) (Arg 2 (Name d))]))]"},
		{"f(x for x in y)", "[(ExprStmt (Call (Name f) [(Arg (Comprehension ( (Name x) [(Clause (Name x) (Name y))]))]))]"},
		{"x[:, None]", "[(ExprStmt (Subscript (Name x) (Tuple [(Slice) (Constant None)])))]"},
		{"x[1:n, ::2]", "[(ExprStmt (Subscript (Name x) (Tuple [(Slice (Number 1) (Name n)) (Slice (Number 2))])))]"},
		{"a.b[0].c", "[(ExprStmt (Attribute (Subscript (Attribute (Name a) b) (Number 0)) c))]"},
		{"0xFF_FF; 1_000; .5; 1e-3; 3j", "[(ExprStmt (Number 0xFFFF)) (ExprStmt (Number 1000)) (ExprStmt (Number .5 true)) (ExprStmt (Number 1e-3 true)) (ExprStmt (Number 3j true))]"},
		{`'a\n' "b" r'\n'`, "[(ExprStmt (String a\nb\\n))]"},
		{`f"{x!r:>{w}}" 'y'`, "[(ExprStmt (String {x!r:>{w}}y true))]"},
		{`'''a "quoted"` + "\n" + `text'''`, "[(ExprStmt (String a \"quoted\"\ntext))]"},
		{"a, b = c = 1, 2", "[(Assign [(Tuple [(Name a) (Name b)]) (Name c)] (Tuple [(Number 1) (Number 2)]))]"},
		{"x: tl.constexpr = 3", "[(AnnAssign (Name x) (Attribute (Name tl) constexpr) (Number 3))]"},
		{"x //= 2; y >>= 1; z @= w", "[(AugAssign // (Name x) (Number 2)) (AugAssign >> (Name y) (Number 1)) (AugAssign @ (Name z) (Name w))]"},
		{"if (n := f()) > 1:\n  pass\nelif b: pass\nelse:\n  x", "[(If (Compare (Walrus (Name n) (Call (Name f))) [>] [(Number 1)]) [(Simple pass)] [(If (Name b) [(Simple pass)] [(ExprStmt (Name x))])])]"},
		{"for i, (a, b) in x, y:\n  continue\nelse:\n  break", "[(For (Tuple [(Name i) (Tuple [(Name a) (Name b)])]) (Tuple [(Name x) (Name y)]) [(Simple continue)] [(Simple break)])]"},
		{"while x:\n\n  # a comment\n  y\n", "[(While (Name x) [(ExprStmt (Name y))])]"},
		{"@triton.jit(a=[1])\n@b\ndef f(x, y: int = 1, /, *args, z=2, **kw) -> None:\n  return x,", "[(FuncDef f [(Call (Attribute (Name triton) jit) [(Arg a (List [(Number 1)]))]) (Name b)] [(Param x) (Param y (Name int) (Number 1)) (Param args 1) (Param z (Number 2)) (Param kw 2)] [(Return (Tuple [(Name x)]))])]"},
		{"class A(B, metaclass=M):\n  x = 1", "[(ClassDef A [(Assign [(Name x)] (Number 1))])]"},
		{"with open(a) as b, c as (d, e): pass", "[(With [(Call (Name open) [(Arg (Name a))]) (Name c)] [(Simple pass)])]"},
		{"with (open(a) as b, c): pass", "[(With [(Call (Name open) [(Arg (Name a))]) (Name c)] [(Simple pass)])]"},
		{"try:\n  a\nexcept (A, B) as e:\n  b\nexcept:\n  c\nelse:\n  d\nfinally:\n  e", "[(Try [(ExprStmt (Name a))] [[(ExprStmt (Name b))] [(ExprStmt (Name c))]] [(ExprStmt (Name d))] [(ExprStmt (Name e))])]"},
		{"import a.b as c, d.e\nfrom ..x import (y as z, w,)\nfrom . import *", "[(Import [(Alias a.b c) (Alias d.e d)]) (Import true ..x [(Alias y z) (Alias w w)]) (Import true . [(Alias * *)])]"},
		{"[x async for x in y if a if b]; {k: v for k, v in z}; {1, *a}; {**d, 'x': 1}", "[(ExprStmt (Comprehension [ (Name x) [(Clause (Name x) (Name y) [(Name a) (Name b)])])) (ExprStmt (Comprehension { (Name k) (Name v) [(Clause (Tuple [(Name k) (Name v)]) (Name z))])) (ExprStmt (Set [(Number 1) (Starred (Name a))])) (ExprStmt (Dict [- (String x)] [(Name d) (Number 1)]))]"},
		{"lambda m, *a: (m['x'],)", "[(ExprStmt (Lambda [(Param m) (Param a 1)] (Tuple [(Subscript (Name m) (String x))])))]"},
		{"async def f():\n  await g()\n  yield\n  yield from h", "[(FuncDef f [(ExprStmt (Await (Call (Name g)))) (ExprStmt (Yield)) (ExprStmt (Yield true (Name h)))])]"},
		{"match x:\n  case [1, A(b=2)] if y:\n    z\n  case _:\n    w\nmatch = 1", "[(Match (Name x) [[(ExprStmt (Name z))] [(ExprStmt (Name w))]]) (Assign [(Name match)] (Number 1))]"},
		{"x = (a +\n     b) \\\n  + c", "[(Assign [(Name x)] (Binary + (Binary + (Name a) (Name b)) (Name c)))]"},
		{"raise A from b; del x, y; assert a, 'no'; global g", "[(Simple raise [(Name A) (Name b)]) (Simple del [(Name x) (Name y)]) (Simple assert [(Name a) (String no)]) (Simple global [(Name g)])]"},
		{"def f[T](x): ...", "[(FuncDef f [(Param x)] [(ExprStmt (Constant ...))])]"},
		{"1if x else 2", "[(ExprStmt (IfExp (Name x) (Number 1) (Number 2)))]"},
	} {
		f, err := Parse("a.py", c.src)
		if err != nil {
			t.Errorf("%q: %v", c.src, err)
			continue
		}
		if got := dump(reflect.ValueOf(f.Body)); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.src, got, c.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"x = (1,\n", "a.py:1:5: '(' is never closed"},
		{"x = 1)", "a.py:1:6: ')' closes nothing"},
		{"x = [1)", "a.py:1:7: ')' does not close the '[' of line 1"},
		{"if x:\ny", "a.py:2:1: 'y', want an indented block"},
		{"if x:\n    y\n  z", "a.py:3:3: this line is indented like no block around it"},
		{"  x", "a.py:1:3: an indented line where no block begins"},
		{"x = 'abc", "a.py:1:5: a string without its closing '"},
		{"x = $", "a.py:1:5: '$' means nothing in Python"},
		{"f() = 1", "a.py:1:2: this cannot be assigned to"},
		{"x = 12abc", "a.py:1:5: 12 is followed by a letter: not a number"},
		{"x y", "a.py:1:3: 'y', want the end of the statement"},
		{"def f(:)\n pass", "a.py:1:7: ':', want a name"},
		{"a \\ b", "a.py:1:3: a backslash that is not at the end of its line"},
		{"try:\n  x\ny", "a.py:3:1: 'y', want except or finally after try"},
		{strings.Repeat("(", 200), "a.py:1:101: brackets are nested too deeply"},
		{strings.Repeat("-", 200) + "x", "a.py:1:100: nested too deeply"},
	} {
		_, err := Parse("a.py", c.src)
		if err == nil || err.Error() != c.want {
			t.Errorf("%.40q: got %v, want %s", c.src, err, c.want)
		}
	}
}

// TestPositions: a node stands where it begins, an operation at its operator.
func TestPositions(t *testing.T) {
	f, err := Parse("a.py", "\nx = a.b(\n    c + d)\n")
	if err != nil {
		t.Fatal(err)
	}
	call := f.Body[0].(*Assign).Value.(*Call)
	for _, c := range []struct {
		at   Pos
		want string
	}{
		{f.Body[0].Pos(), "a.py:2:1"}, {call.At, "a.py:2:8"}, {call.Func.Pos(), "a.py:2:7"}, {call.Args[0].Value.Pos(), "a.py:3:7"},
	} {
		if got := f.At(c.at).String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// seeds is the Python files of this folder and those beside it.
func seeds(t testing.TB) (texts []string) {
	files, err := filepath.Glob("../*/*.py")
	if err != nil {
		t.Fatal(err)
	}
	more, _ := filepath.Glob("../testdata/*.py")
	for _, name := range append(files, more...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

// survives parses a text, which must give a file or a message with a place.
func survives(t *testing.T, text string) {
	f, err := Parse("a.py", text)
	d, ok := err.(*diag.Diagnostic)
	if err == nil && f == nil || err != nil && (!ok || !d.Pos.IsValid() || d.Msg == "") {
		t.Errorf("%q: %v", text, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	f.Fuzz(survives)
}

// TestMutated: files cut, doubled and joined at random give a message, and never a panic.
func TestMutated(t *testing.T) {
	n := 150
	if os.Getenv("TILER_LONG") != "" {
		n = 800
	}
	for _, text := range seeds(t) {
		for i := range n {
			a, b := i*7919%len(text), i*104729%len(text)
			survives(t, text[:a]+text[b:])
			survives(t, text[:a]+"([{'\"\\\n\t:=@"[i%11:i%11+1]+text[a:])
		}
	}
}
