package frontend

import (
	"go/types"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// dtypeMethods are what is asked of dtypes, all of it known.
var dtypeMethods = map[string]func(c *call, d dtype.DType) value{
	"String":    func(_ *call, d dtype.DType) value { return stringValue(d.String()) },
	"Short":     func(_ *call, d dtype.DType) value { return stringValue(d.Short()) },
	"Size":      func(_ *call, d dtype.DType) value { return intValue(d.Size()) },
	"Bits":      func(_ *call, d dtype.DType) value { return intValue(d.Bits()) },
	"Valid":     func(_ *call, d dtype.DType) value { return boolValue(d.Valid()) },
	"IsFloat":   func(_ *call, d dtype.DType) value { return boolValue(d.IsFloat()) },
	"IsInt":     func(_ *call, d dtype.DType) value { return boolValue(d.IsInt()) },
	"IsSigned":  func(_ *call, d dtype.DType) value { return boolValue(d.IsSigned()) },
	"IsPointer": func(_ *call, d dtype.DType) value { return boolValue(d.IsPointer()) },
	"IsFP8":     func(_ *call, d dtype.DType) value { return boolValue(d.IsFP8()) },
	"IsNarrow":  func(_ *call, d dtype.DType) value { return boolValue(d.IsNarrow()) },
	"Elem":      func(_ *call, d dtype.DType) value { return dtypeValue(d.Elem()) },
	"Compute":   func(_ *call, d dtype.DType) value { return dtypeValue(d.Compute()) },
	"Kind": func(_ *call, d dtype.DType) value {
		return value{kind: scalarKind, basic: types.Uint8, known: true, bits: uint64(d.Kind())}
	},
	"MinInt": func(_ *call, d dtype.DType) value {
		return value{kind: scalarKind, basic: types.Int64, known: true, bits: uint64(d.MinInt())}
	},
	"MaxInt": func(_ *call, d dtype.DType) value {
		return value{kind: scalarKind, basic: types.Uint64, known: true, bits: d.MaxInt()}
	},
	"WithSign": func(c *call, d dtype.DType) value {
		signed, ok := c.static(c.args[0], c.argPos(0), "a signedness")
		if !ok {
			return bad
		}
		return dtypeValue(d.WithSign(signed != 0))
	},
	"FitsInt": func(c *call, d dtype.DType) value {
		n, ok := c.static(c.args[0], c.argPos(0), "the argument of FitsInt")
		if !ok {
			return bad
		}
		return boolValue(d.FitsInt(int64(n)))
	},
}
