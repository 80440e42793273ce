package lower

import (
	_ "embed"
	"math"
	"sync"

	"github.com/tiler-go/tiler/exec/triton/lower/value"
)

// enums are members of the language that are values; PropagateNan's are strings here.
var enums = map[string]value.Value{"PropagateNan": value.Module("PropagateNan"), "CONSTEXPR_0": int64(0)}

var mathConstants = map[string]value.Value{"pi": math.Pi, "e": math.E, "inf": math.Inf(1), "nan": math.NaN(), "tau": 2 * math.Pi}

// preludeText is what is written in the language itself.
//
//go:embed prelude.py
var preludeText string

// prelude is the functions of the language that are written in it.
var prelude = sync.OnceValue(func() *File {
	f, err := Load(value.Prelude, preludeText, nil)
	if err != nil {
		panic(err) // a mistake in prelude.py, which tests would find
	}
	return f
})

// preludeFunction is one of its functions.
func preludeFunction(name string) value.Function {
	f, _ := prelude().Lookup(name)
	return f.(value.Function)
}
