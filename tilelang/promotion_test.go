package tilelang_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// The recorded promotion table of Triton: the dtype of every operator's result for
// every pair of operand dtypes, or the error. What is decided otherwise here is
// listed by the functions named after the reason.

type promotionTable struct {
	Pair       map[string]map[string]map[string]string `json:"pair"`
	TileScalar map[string]map[string]map[string]string `json:"tile_scalar"`
	ScalarTile map[string]map[string]map[string]string `json:"scalar_tile"`
	Where      map[string]map[string]string            `json:"where"`
	Maximum    map[string]map[string]string            `json:"maximum"`
	Reduce     map[string]map[string]string            `json:"reduce"`
}

func promotionJSON(t *testing.T) (p promotionTable) {
	f, err := os.Open("testdata/promotion.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&p); err != nil {
		t.Fatal(err)
	}
	return p
}

var operators = map[string]func(x, y any) tl.Tile{
	"add":     func(x, y any) tl.Tile { return method(x, y, tl.Tile.Add, tl.Tile.Add) },
	"sub":     tl.Sub,
	"mul":     func(x, y any) tl.Tile { return method(x, y, tl.Tile.Mul, tl.Tile.Mul) },
	"truediv": tl.Div, "floordiv": tl.FloorDiv, "mod": tl.Mod,
	"and": func(x, y any) tl.Tile { return method(x, y, tl.Tile.And, tl.Tile.And) },
	"or":  func(x, y any) tl.Tile { return method(x, y, tl.Tile.Or, tl.Tile.Or) },
	"xor": func(x, y any) tl.Tile { return method(x, y, tl.Tile.Xor, tl.Tile.Xor) },
	"shl": tl.Shl, "shr": tl.Shr,
	"lt": func(x, y any) tl.Tile { return method(x, y, tl.Tile.Lt, tl.Tile.Gt) },
	"eq": func(x, y any) tl.Tile { return method(x, y, tl.Tile.Eq, tl.Tile.Eq) },
}

// method calls f on the left operand, or its mirror image on the right one if only
// that is a tile.
func method(x, y any, f, mirrored func(x tl.Tile, y any) tl.Tile) tl.Tile {
	if u, ok := x.(tl.Tile); ok {
		return f(u, y)
	}
	return mirrored(y.(tl.Tile), x)
}

var unaries = map[string]func(x tl.Tile) tl.Tile{
	"sum": func(x tl.Tile) tl.Tile { return tl.Sum(x) }, "max": func(x tl.Tile) tl.Tile { return tl.Max(x) },
	"min": func(x tl.Tile) tl.Tile { return tl.Min(x) }, "argmax": func(x tl.Tile) tl.Tile { return tl.ArgMax(x) },
	"xor_sum": func(x tl.Tile) tl.Tile { return tl.XorSum(x) }, "cumsum": func(x tl.Tile) tl.Tile { return tl.CumSum(x) },
	"cumprod": func(x tl.Tile) tl.Tile { return tl.CumProd(x) }, "sort": func(x tl.Tile) tl.Tile { return tl.Sort(x) },
	"exp": tl.Exp, "sqrt": tl.Sqrt, "abs": tl.Abs, "floor": tl.Floor, "sigmoid": tl.Sigmoid, "rsqrt": tl.Rsqrt,
	"neg": tl.Tile.Neg, "invert": tl.Tile.Not, "softmax": func(x tl.Tile) tl.Tile { return tl.Softmax(x, 0) },
}

// ones is a vector of ones: a divisor that is fit for everything.
func ones(name string) tl.Tile {
	d, err := dtype.Parse(name)
	if err != nil {
		panic(err)
	}
	return tl.Full(d, 1, 4)
}

// artefact reports errors of the interpreter that recorded the table, which are no
// part of the language: "-" of bools, a bfloat16 with a literal, "~" of unsigned.
func artefact(recorded string) bool {
	return strings.Contains(recorded, "get_bf16") || strings.Contains(recorded, "numpy boolean") || strings.Contains(recorded, "out of bounds")
}

// resultName is the dtype of what f gives, as the table spells it, or "error".
func resultName(f func() tl.Tile) (name string, fault *tl.Fault) {
	var z tl.Tile
	if fault = try(func() { z = f() }); fault != nil {
		return "error", fault
	}
	return tableName(z.DType()), nil
}

func tableName(d tl.DType) string {
	switch d {
	case tl.Float16, tl.Float32, tl.Float64:
		return "fp" + strconv.Itoa(d.Bits())
	case tl.BFloat16:
		return "bf16"
	case tl.Bool:
		return "int1"
	}
	return d.String()
}

func expect(t *testing.T, where, want string, f func() tl.Tile) {
	t.Helper()
	if strings.HasPrefix(want, "error") {
		want = "error"
	}
	if got, fault := resultName(f); got != want {
		t.Errorf("%s: got %s, want %s (%v)", where, got, want, fault)
	}
}

func TestPromotionOfTiles(t *testing.T) {
	p := promotionJSON(t)
	for name, rows := range p.Pair {
		for dx, row := range rows {
			for dy, want := range row {
				if artefact(want) { // bool - bool
					want = "int1"
				}
				expect(t, name+" "+dx+" "+dy, want, func() tl.Tile { return operators[name](ones(dx), ones(dy)) })
			}
		}
	}
	for dx, row := range p.Where {
		for dy, want := range row {
			expect(t, "where "+dx+" "+dy, want, func() tl.Tile { return tl.Where(true, ones(dx), ones(dy)) })
		}
	}
	for dx, row := range p.Maximum {
		for dy, want := range row {
			expect(t, "maximum "+dx+" "+dy, want, func() tl.Tile { return tl.Maximum(ones(dx), ones(dy)) })
			expect(t, "minimum "+dx+" "+dy, want, func() tl.Tile { return tl.Minimum(ones(dx), ones(dy)) })
		}
	}
}

func TestPromotionOfReductions(t *testing.T) {
	for name, row := range promotionJSON(t).Reduce {
		for dx, want := range row {
			switch {
			case name == "sigmoid" && !ones(dx).DType().IsFloat():
				want = "error" // as of exp, of which it is made
			case artefact(want):
				want = tableName(ones(dx).DType())
			case strings.Contains(want, "Expected dtype") && ones(dx).DType().IsFloat():
				want = tableName(ones(dx).DType()) // math on float16 and bfloat16 widens and rounds back
			case name == "cumprod" && ones(dx).DType() != tl.BFloat16:
				want = tableName(ones(dx).DType()) // only sums widen
			}
			expect(t, name+" "+dx, want, func() tl.Tile { return unaries[name](ones(dx)) })
		}
	}
}

// scalarOf parses the table's literals: "int 2**31", "float 1e300", "bool True".
func scalarOf(t *testing.T, s string) any {
	kind, text, _ := strings.Cut(s, " ")
	switch kind {
	case "bool":
		return true
	case "float":
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if exp, ok := strings.CutPrefix(text, "2**"); ok {
		n, _ := strconv.Atoi(exp)
		return 1 << n
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// ownType reports whether a scalar takes a type of its own beside a tile of type d,
// int32 or int64 whatever its value, and then what becomes of one that does not fit.
func ownType(op string, d tl.DType, v any) (own, fits bool) {
	compare := op == "lt" || op == "eq"
	switch v := v.(type) {
	case int:
		own = compare || d == tl.Bool
		return own, d.Bits() == 64 || int(int32(v)) == v
	case float64:
		own = compare || !d.IsFloat()
		return own, d == tl.Float64 || float64(float32(v)) == v
	}
	return false, true
}

func TestPromotionOfScalars(t *testing.T) {
	p := promotionJSON(t)
	check := func(name, scalar, dx, want string, f func(v any, x tl.Tile) tl.Tile) {
		t.Helper()
		v, d := scalarOf(t, scalar), ones(dx).DType()
		own, fits := ownType(name, d, v)
		switch {
		case own && !fits:
			want = "error"
		case artefact(want) && d == tl.BFloat16:
			want = bfloat16Result(name, v)
		case artefact(want):
			want = "int1"
		case own && strings.Contains(want, "negative scalar"): // noted by a check, not refused
			want = "int1"
		}
		expect(t, name+" "+dx+" with "+scalar, want, func() tl.Tile { return f(v, ones(dx)) })
	}
	for name, rows := range p.TileScalar {
		for scalar, row := range rows {
			for dx, want := range row {
				check(name, scalar, dx, want, func(v any, x tl.Tile) tl.Tile { return operators[name](x, v) })
			}
		}
	}
	for name, rows := range p.ScalarTile {
		for scalar, row := range rows {
			for dx, want := range row {
				check(name, scalar, dx, want, func(v any, x tl.Tile) tl.Tile { return operators[name](v, x) })
			}
		}
	}
}

// bfloat16Result is what a bfloat16 tile and a scalar give, which the table does not
// say: the scalar does not take part.
func bfloat16Result(op string, _ any) string {
	switch op {
	case "add", "sub", "mul":
		return "bf16"
	case "truediv", "mod":
		return "fp32"
	case "lt", "eq":
		return "int1"
	}
	return "error"
}
