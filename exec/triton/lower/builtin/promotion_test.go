package builtin

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/spell"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// promotions is the recorded table of what Triton makes of operands: the dtype of the result,
// or the error.
type promotions struct {
	Pair       map[string]map[string]map[string]string `json:"pair"`
	TileScalar map[string]map[string]map[string]string `json:"tile_scalar"`
	ScalarTile map[string]map[string]map[string]string `json:"scalar_tile"`
	Where      map[string]map[string]string            `json:"where"`
	Maximum    map[string]map[string]string            `json:"maximum"`
	Reduce     map[string]map[string]string            `json:"reduce"`
}

func readPromotions(t *testing.T) (p promotions) {
	f, err := os.Open("../../../../tilelang/testdata/promotion.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err == nil {
		err = json.NewDecoder(z).Decode(&p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// artefact reports errors of the interpreter that recorded the table, which are no part of the
// language.
func artefact(recorded string) bool {
	return strings.Contains(recorded, "get_bf16") || strings.Contains(recorded, "numpy boolean") || strings.Contains(recorded, "out of bounds")
}

var spelled = map[string]string{
	"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "and": "&", "or": "|", "xor": "^",
	"shl": "<<", "shr": ">>", "lt": "<", "eq": "==",
}

// nowhere is a file with nothing in it.
type nowhere struct{}

func (nowhere) Syntax() *syntax.File { return &syntax.File{Name: "a.py"} }

func (nowhere) Lookup(string) (v value.Value, ok bool) { return nil, false }

// expect compares what f gives with what is recorded.
func expect(t *testing.T, where, want string, f func(l *value.Emitter) value.Value) {
	t.Helper()
	if artefact(want) {
		return
	}
	l := &value.Emitter{Place: value.Place{Frame: &value.Frame{Scope: nowhere{}}}, Func: &ir.Func{Body: &ir.Block{}}}
	l.Block = l.Func.Body
	got, text := "error", ""
	func() {
		defer func() {
			if r, ok := recover().(value.Refusal); ok {
				text = r.Diag.Error()
			}
		}()
		got = spell.Signature(f(l).(value.Tensor).IR.Type.D)
		if d, ok := spell.SignatureType(got); ok && !d.IsFloat() {
			got = strings.NewReplacer("i", "int", "u", "uint").Replace(got)
		}
	}()
	if strings.HasPrefix(want, "error") {
		want = "error"
	}
	if got != want {
		t.Errorf("%s: got %s, want %s (%s)", where, got, want, text)
	}
}

// tileNamed is a tile of a dtype.
func tileNamed(l *value.Emitter, name string) value.Tensor {
	d, err := dtype.Parse(name)
	if err != nil {
		panic(err)
	}
	return value.Tensor{IR: l.Emit(op.Arange, ir.Tile(d, 4))}
}

func TestPromotionOfTiles(t *testing.T) {
	p := readPromotions(t)
	for name, rows := range p.Pair {
		for dx, row := range rows {
			for dy, want := range row {
				expect(t, name+" "+dx+" "+dy, want, func(l *value.Emitter) value.Value {
					return l.Operate(spelled[name], tileNamed(l, dx), tileNamed(l, dy))
				})
			}
		}
	}
	for dx, row := range p.Where {
		for dy, want := range row {
			expect(t, "where "+dx+" "+dy, want, func(l *value.Emitter) value.Value {
				return l.Where(tileNamed(l, "bool"), tileNamed(l, dx), tileNamed(l, dy))
			})
		}
	}
	for dx, row := range p.Maximum {
		for dy, want := range row {
			expect(t, "maximum "+dx+" "+dy, want, func(l *value.Emitter) value.Value {
				return called(l, "maximum", map[string]value.Value{"x": tileNamed(l, dx), "y": tileNamed(l, dy)})
			})
		}
	}
}

// called is a function of the language, called.
func called(l *value.Emitter, name string, args map[string]value.Value) value.Value {
	r := &rows[name].Row
	c := &Call{Emitter: l, row: r, Args: args, what: r.Spelling()}
	return c.Lower()
}

func TestPromotionOfReductions(t *testing.T) {
	for name, row := range readPromotions(t).Reduce {
		for dx, want := range row {
			if rows[name] == nil || strings.Contains(want, "Expected dtype") { // of the language itself, or more than Triton takes
				continue
			}
			expect(t, name+" "+dx, want, func(l *value.Emitter) value.Value {
				args := map[string]value.Value{}
				args[rows[name].Params[0]] = tileNamed(l, dx)
				if name != "exp" {
					args["axis"] = int64(0)
				}
				return called(l, name, args)
			})
		}
	}
}

// literal is a number of the table: "int 2**31", "float 1e300", "bool True".
func literalOf(t *testing.T, s string) value.Value {
	kind, text, _ := strings.Cut(s, " ")
	switch kind {
	case "bool":
		return true
	case "float":
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	if exp, ok := strings.CutPrefix(text, "2**"); ok {
		n, _ := strconv.Atoi(exp)
		return int64(math.Ldexp(1, n))
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestPromotionOfNumbers(t *testing.T) {
	p := readPromotions(t)
	for name, all := range p.TileScalar {
		for number, row := range all {
			for dx, want := range row {
				expect(t, name+" "+dx+" with "+number, want, func(l *value.Emitter) value.Value {
					return l.Operate(spelled[name], tileNamed(l, dx), literalOf(t, number))
				})
			}
		}
	}
	for name, all := range p.ScalarTile {
		for number, row := range all {
			for dx, want := range row {
				expect(t, name+" "+number+" with "+dx, want, func(l *value.Emitter) value.Value {
					return l.Operate(spelled[name], literalOf(t, number), tileNamed(l, dx))
				})
			}
		}
	}
}
