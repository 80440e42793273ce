package spell

import "github.com/tiler-go/tiler/tilelang/dtype"

// tritonTypes are the dtypes by Triton's names.
var tritonTypes = map[string]dtype.DType{
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

// Type is the dtype that Triton, PyTorch or a signature (fp16, i32) calls so.
func Type(name string) (d dtype.DType, ok bool) {
	if d, ok = tritonTypes[name]; ok {
		return d, true
	}
	if d, ok = torchTypes[name]; ok {
		return d, true
	}
	d, ok = signatureTypes[name]
	return d, ok
}

// signatureTypes are the dtypes by their names in a signature.
var signatureTypes = map[string]dtype.DType{
	"i1": dtype.Bool, "i8": dtype.Int8, "i16": dtype.Int16, "i32": dtype.Int32, "i64": dtype.Int64,
	"u8": dtype.Uint8, "u16": dtype.Uint16, "u32": dtype.Uint32, "u64": dtype.Uint64,
	"fp8e5": dtype.Float8E5, "fp8e4nv": dtype.Float8E4NV, "fp16": dtype.Float16, "bf16": dtype.BFloat16, "fp32": dtype.Float32, "fp64": dtype.Float64,
}

// TritonType is the dtype of one of Triton's own names.
func TritonType(name string) (d dtype.DType, ok bool) {
	d, ok = tritonTypes[name]
	return d, ok
}

// TorchType is the dtype of one of PyTorch's names.
func TorchType(name string) (d dtype.DType, ok bool) {
	d, ok = torchTypes[name]
	return d, ok
}

// SignatureType is the dtype of a name in a signature.
func SignatureType(name string) (d dtype.DType, ok bool) {
	d, ok = signatureTypes[name]
	return d, ok
}

// Signature is a dtype's name in a signature: fp32.
func Signature(d dtype.DType) string {
	for name, t := range signatureTypes {
		if t == d && !(d == dtype.Bool && name != "int1") {
			return name
		}
	}
	if d == dtype.Bool {
		return "int1"
	}
	return d.String()
}
