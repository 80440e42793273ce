package lower

import (
	_ "embed"
	"math"
	"sync"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// types are the dtypes by Triton's names.
var types = map[string]dtype.DType{
	"int1": dtype.Bool, "int8": dtype.Int8, "int16": dtype.Int16, "int32": dtype.Int32, "int64": dtype.Int64,
	"uint8": dtype.Uint8, "uint16": dtype.Uint16, "uint32": dtype.Uint32, "uint64": dtype.Uint64,
	"float8e5": dtype.Float8E5, "float8e4nv": dtype.Float8E4NV, "float16": dtype.Float16, "bfloat16": dtype.BFloat16,
	"float32": dtype.Float32, "float64": dtype.Float64,
}

// torchTypes are the dtypes by PyTorch's names.
var torchTypes = map[string]dtype.DType{
	"bool": dtype.Bool, "int8": dtype.Int8, "int16": dtype.Int16, "short": dtype.Int16, "int32": dtype.Int32, "int": dtype.Int32,
	"int64": dtype.Int64, "long": dtype.Int64, "uint8": dtype.Uint8, "uint16": dtype.Uint16, "uint32": dtype.Uint32, "uint64": dtype.Uint64,
	"float8_e5m2": dtype.Float8E5, "float8_e4m3fn": dtype.Float8E4NV, "float16": dtype.Float16, "half": dtype.Float16,
	"bfloat16": dtype.BFloat16, "float32": dtype.Float32, "float": dtype.Float32, "float64": dtype.Float64, "double": dtype.Float64,
}

// TypeNamed is the dtype that Triton, PyTorch or a signature (fp16, i32) calls so.
func TypeNamed(name string) (d dtype.DType, ok bool) {
	if d, ok = types[name]; ok {
		return d, true
	}
	if d, ok = torchTypes[name]; ok {
		return d, true
	}
	d, ok = signatureTypes[name]
	return d, ok
}

var signatureTypes = map[string]dtype.DType{
	"i1": dtype.Bool, "i8": dtype.Int8, "i16": dtype.Int16, "i32": dtype.Int32, "i64": dtype.Int64,
	"u8": dtype.Uint8, "u16": dtype.Uint16, "u32": dtype.Uint32, "u64": dtype.Uint64,
	"fp8e5": dtype.Float8E5, "fp8e4nv": dtype.Float8E4NV, "fp16": dtype.Float16, "bf16": dtype.BFloat16, "fp32": dtype.Float32, "fp64": dtype.Float64,
}

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
