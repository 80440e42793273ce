package builtin

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// dtypeMethods are what is asked of dtypes, all of it known.
var dtypeMethods = map[string]func(c *Call, d dtype.DType) value.Value{
	"String":    func(_ *Call, d dtype.DType) value.Value { return value.String(d.String()) },
	"Short":     func(_ *Call, d dtype.DType) value.Value { return value.String(d.Short()) },
	"Size":      func(_ *Call, d dtype.DType) value.Value { return value.Int(d.Size()) },
	"Bits":      func(_ *Call, d dtype.DType) value.Value { return value.Int(d.Bits()) },
	"Valid":     func(_ *Call, d dtype.DType) value.Value { return value.Bool(d.Valid()) },
	"IsFloat":   func(_ *Call, d dtype.DType) value.Value { return value.Bool(d.IsFloat()) },
	"IsInt":     func(_ *Call, d dtype.DType) value.Value { return value.Bool(d.IsInt()) },
	"IsSigned":  func(_ *Call, d dtype.DType) value.Value { return value.Bool(d.IsSigned()) },
	"IsPointer": func(_ *Call, d dtype.DType) value.Value { return value.Bool(d.IsPointer()) },
	"IsFP8":     func(_ *Call, d dtype.DType) value.Value { return value.Bool(d.IsFP8()) },
	"IsNarrow":  func(_ *Call, d dtype.DType) value.Value { return value.Bool(d.IsNarrow()) },
	"Elem":      func(_ *Call, d dtype.DType) value.Value { return value.DType(d.Elem()) },
	"Compute":   func(_ *Call, d dtype.DType) value.Value { return value.DType(d.Compute()) },
	"Kind": func(_ *Call, d dtype.DType) value.Value {
		return value.Value{Kind: value.ScalarKind, Basic: types.Uint8, Known: true, Bits: uint64(d.Kind())}
	},
	"MinInt": func(_ *Call, d dtype.DType) value.Value {
		return value.Value{Kind: value.ScalarKind, Basic: types.Int64, Known: true, Bits: uint64(d.MinInt())}
	},
	"MaxInt": func(_ *Call, d dtype.DType) value.Value {
		return value.Value{Kind: value.ScalarKind, Basic: types.Uint64, Known: true, Bits: d.MaxInt()}
	},
	"WithSign": func(c *Call, d dtype.DType) value.Value {
		signed, ok := c.Static(c.Args[0], c.argPos(0), "a signedness")
		if !ok {
			return value.Bad
		}
		return value.DType(d.WithSign(signed != 0))
	},
	"FitsInt": func(c *Call, d dtype.DType) value.Value {
		n, ok := c.Static(c.Args[0], c.argPos(0), "the argument of FitsInt")
		if !ok {
			return value.Bad
		}
		return value.Bool(d.FitsInt(int64(n)))
	},
}
