package lower

import (
	_ "embed"
	"math"
	"sync"
)

// enums are members of the language that are values; PropagateNan's are strings here.
var enums = map[string]value{"PropagateNan": module("PropagateNan"), "CONSTEXPR_0": int64(0)}

var mathConstants = map[string]value{"pi": math.Pi, "e": math.E, "inf": math.Inf(1), "nan": math.NaN(), "tau": 2 * math.Pi}

// preludeText is what is written in the language itself.
//
//go:embed prelude.py
var preludeText string

// preludeName is the prelude's file.
const preludeName = "triton/prelude.py"

func (f *File) isPrelude() bool { return f.Name() == preludeName }

// prelude is the functions of the language that are written in it.
var prelude = sync.OnceValue(func() *File {
	f, err := Load(preludeName, preludeText, nil)
	if err != nil {
		panic(err) // a mistake in prelude.py, which tests would find
	}
	return f
})
