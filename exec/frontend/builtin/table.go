package builtin

import (
	"maps"
	"slices"

	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// ops are the functions and methods that are one elementwise op.
var ops = map[string]op.Op{
	"Tile.Sub": op.Sub, "Tile.Mul": op.Mul, "Tile.Div": op.Div, "Tile.FloorDiv": op.FloorDiv, "Tile.Mod": op.Mod,
	"Tile.And": op.And, "Tile.Or": op.Or, "Tile.Xor": op.Xor, "Tile.Shl": op.Shl, "Tile.Shr": op.Shr,
	"Tile.Lt": op.Lt, "Tile.Le": op.Le, "Tile.Gt": op.Gt, "Tile.Ge": op.Ge, "Tile.Eq": op.Eq, "Tile.Ne": op.Ne,
	"Sub": op.Sub, "Div": op.Div, "FloorDiv": op.FloorDiv, "Mod": op.Mod, "Shl": op.Shl, "Shr": op.Shr,
	"UMulHi": op.UMulHi, "Pow": op.Pow, "Atan2": op.Atan2,

	"Tile.Neg": op.Neg, "Tile.Not": op.Not,
	"Abs": op.Abs, "Floor": op.Floor, "Ceil": op.Ceil, "Rint": op.Rint, "Trunc": op.Trunc, "Round": op.Round, "Sqrt": op.Sqrt, "Rsqrt": op.Rsqrt,
	"Exp": op.Exp, "Exp2": op.Exp2, "Expm1": op.Expm1, "Log": op.Log, "Log2": op.Log2, "Log1p": op.Log1p,
	"Sin": op.Sin, "Cos": op.Cos, "Tan": op.Tan, "Asin": op.Asin, "Acos": op.Acos, "Atan": op.Atan,
	"Tanh": op.Tanh, "Erf": op.Erf, "Sigmoid": op.Sigmoid,
}

// laneFuncs are the other functions that a combining function may call.
var laneFuncs = map[string]bool{
	"Tile.Add": true, "Tile.To": true, "Cast": true, "Tile.Bitcast": true, "Tile.DType": true, "Tile.Elem": true,
	"Where": true, "Maximum": true, "Minimum": true, "Clamp": true, "FMA": true, "IsNaN": true, "IsInf": true, "IsFinite": true,
	"Full": true, "Zeros": true, "ZerosLike": true, "RandInt": true, "RandInt4x": true, "Rand": true, "Randn": true,
	"Cdiv": true, "NextPow2": true, "StaticAssert": true, "DebugBarrier": true,
}

// table has one row per function ("Load") and method ("Tile.Add") of the language.
// It is filled by init because rows call back into the lowering.
var table = map[string]lowerFunc{}

func init() {
	for _, rows := range []map[string]lowerFunc{tileRows(), shapeRows(), memoryRows(), axisRows(), programRows()} {
		maps.Copy(table, rows)
	}
	for name, o := range ops {
		if table[name] == nil {
			table[name] = elementwise(o)
		}
	}
	for name, o := range map[string]op.Op{
		"AtomicAdd": op.AtomicAdd, "AtomicMax": op.AtomicMax, "AtomicMin": op.AtomicMin, "AtomicAnd": op.AtomicAnd,
		"AtomicOr": op.AtomicOr, "AtomicXor": op.AtomicXor, "AtomicXchg": op.AtomicXchg,
	} {
		table[name] = one(func(c *Call) value.Value { return lowerAtomic(c, o) })
	}
	for _, name := range optionFuncs {
		table[name] = one(func(c *Call) value.Value { return value.Value{Kind: value.OptionKind, Str: name, List: c.Args} })
	}
	for name, f := range dtypeMethods {
		table["DType."+name] = one(func(c *Call) value.Value { return f(c, c.Recv.D) })
	}
}

// tileRows compute and create, lane by lane.
func tileRows() map[string]lowerFunc {
	return map[string]lowerFunc{
		"Tile.Add": one(lowerAdd),
		"Tile.Sub": one(lowerSub),
		"Sub":      one(lowerSub),
		"Where":    one(lowerWhere),
		"Maximum":  one(func(c *Call) value.Value { return lowerExtremum(c, op.Maximum, op.MaximumNaN) }),
		"Minimum":  one(func(c *Call) value.Value { return lowerExtremum(c, op.Minimum, op.MinimumNaN) }),
		"Clamp":    one(lowerClamp),
		"FMA":      one(lowerFMA),
		"RandInt":  one(func(c *Call) value.Value { return lowerRandom(c, op.RandInt) }),
		"Rand":     one(func(c *Call) value.Value { return lowerRandom(c, op.Rand) }),
		"Randn":    one(func(c *Call) value.Value { return lowerRandom(c, op.Randn) }),
		"Softmax":  one(lowerSoftmax),
		"IsNaN":    one(lowerIsNaN),
		"IsInf":    one(func(c *Call) value.Value { return lowerMagnitude(c, op.Eq) }),
		"IsFinite": one(func(c *Call) value.Value { return lowerMagnitude(c, op.Lt) }),
		"Tile.To":  one(lowerTo),
		"Cast":     one(lowerTo),
		"Full":     one(func(c *Call) value.Value { return lowerFilled(c, c.Args[0], c.Args[1], c.Args[2:], 2) }),
		"Zeros":    one(func(c *Call) value.Value { return lowerFilled(c, c.Args[0], value.Int(0), c.Args[1:], 1) }),
		"Arange":   one(lowerArange),
		"RandInt4x": func(c *Call) []value.Value {
			return []value.Value{lowerRandom(c, op.RandInt), lowerRandom(c, op.RandInt1), lowerRandom(c, op.RandInt2), lowerRandom(c, op.RandInt3)}
		},
		"ZerosLike":    one(lowerZerosLike),
		"Tile.Bitcast": one(lowerBitcast),
		"Tile.Int":     one(lowerInt),
		"Tile.Float":   one(lowerFloat),
		"Tile.Bool":    one(lowerBool),
		"Tile.DType":   one(func(c *Call) value.Value { return value.DType(c.Recv.IR.Type.D) }),
		"Tile.Elem":    one(func(c *Call) value.Value { return value.DType(c.Recv.IR.Type.D.Elem()) }),
		"Tile.IsNil":   one(lowerIsNil),
		"Tile.Shape":   one(lowerShape),
		"Tile.Dim":     one(lowerDim),
	}
}

// shapeRows move elements.
func shapeRows() map[string]lowerFunc {
	return map[string]lowerFunc{
		"Tile.Col":        one(func(c *Call) value.Value { return expand(c, c.Recv, c.Recv.IR.Type.Shape.N) }),
		"Tile.Row":        one(func(c *Call) value.Value { return expand(c, c.Recv, 0) }),
		"Tile.ExpandDims": one(lowerExpandDims),
		"Tile.Squeeze":    one(lowerSqueeze),
		"Tile.Reshape":    one(lowerReshape),
		"Tile.Ravel": one(func(c *Call) value.Value {
			return c.reshaped(c.Recv, ir.ShapeOf(c.Recv.IR.Type.Shape.Len()))
		}),
		"Tile.BroadcastTo": one(lowerBroadcastTo),
		"Broadcast":        lowerBroadcast,
		"Tile.T":           one(lowerT),
		"Trans":            one(lowerT),
		"Tile.Permute":     one(lowerPermute),
		"Join":             one(lowerJoin),
		"Interleave":       one(lowerInterleave),
		"Split":            lowerSplit,
		"Cat":              one(lowerCat),
		"Flip":             one(lowerFlip),
	}
}

// memoryRows reach tensors.
func memoryRows() map[string]lowerFunc {
	return map[string]lowerFunc{
		"Load":             one(lowerLoad),
		"Store":            none(lowerStore),
		"AtomicCAS":        one(lowerAtomicCAS),
		"MakeDesc":         one(lowerMakeDesc),
		"Desc.Load":        one(lowerDescLoad),
		"Desc.Store":       none(lowerDescStore),
		"Desc.Ptrs":        lowerDescPtrs,
		"MakeBlockPtr":     one(lowerMakeBlockPtr),
		"BlockPtr.Advance": one(func(c *Call) value.Value { return lowerAdvance(c, c.Recv, c.Args) }),
		"Advance":          one(func(c *Call) value.Value { return lowerAdvance(c, c.Args[0], c.Args[1:]) }),
		"BlockPtr.Load":    one(lowerBlockLoad),
		"BlockPtr.Store":   none(lowerBlockStore),
	}
}

// axisRows work along an axis.
func axisRows() map[string]lowerFunc {
	return map[string]lowerFunc{
		"Sum":       one(lowerSum),
		"Max":       one(func(c *Call) value.Value { return lowerExtreme(c, op.Max) }),
		"Min":       one(func(c *Call) value.Value { return lowerExtreme(c, op.Min) }),
		"XorSum":    one(func(c *Call) value.Value { return lowerBitSum(c, op.XorSum) }),
		"OrSum":     one(func(c *Call) value.Value { return lowerBitSum(c, op.OrSum) }),
		"ArgMax":    one(func(c *Call) value.Value { return lowerArg(c, op.ArgMax) }),
		"ArgMin":    one(func(c *Call) value.Value { return lowerArg(c, op.ArgMin) }),
		"CumSum":    one(func(c *Call) value.Value { return lowerCum(c, op.CumSum) }),
		"CumProd":   one(func(c *Call) value.Value { return lowerCum(c, op.CumProd) }),
		"Reduce":    func(c *Call) []value.Value { return lowerReduce(c, 1) },
		"Reduce2":   func(c *Call) []value.Value { return lowerReduce(c, 2) },
		"Reduce3":   func(c *Call) []value.Value { return lowerReduce(c, 3) },
		"Scan":      func(c *Call) []value.Value { return lowerScan(c, 1) },
		"Scan2":     func(c *Call) []value.Value { return lowerScan(c, 2) },
		"Dot":       one(lowerDot),
		"MaxIndex":  func(c *Call) []value.Value { return lowerIndex(c, op.MaxIndex) },
		"MinIndex":  func(c *Call) []value.Value { return lowerIndex(c, op.MinIndex) },
		"Sort":      one(lowerSort),
		"ArgSort":   lowerArgSort,
		"TopK":      lowerTopK,
		"Histogram": one(lowerHistogram),
		"Gather":    one(lowerGather),
	}
}

// hint is a promise about a tile, which changes nothing.
var hint = one(func(c *Call) value.Value { return c.Args[0] })

// programRows are the instance, and helpers with Go numbers.
func programRows() map[string]lowerFunc {
	return map[string]lowerFunc{
		"Cdiv":           one(lowerCdiv),
		"NextPow2":       one(lowerNextPow2),
		"Swizzle2D":      lowerSwizzle2D,
		"Program.ID":     one(func(c *Call) value.Value { return lowerProgram(c, op.ProgramID) }),
		"Program.Num":    one(func(c *Call) value.Value { return lowerProgram(c, op.NumPrograms) }),
		"Program.Print":  none(lowerPrint),
		"Program.Assert": none(lowerAssert),
		"StaticAssert":   none(lowerStaticAssert),
		"Assume":         none(func(c *Call) { c.condition("condition", c.Args[0]) }),
		"DebugBarrier":   none(func(c *Call) {}),
		"MultipleOf":     hint,
		"MaxContiguous":  hint,
		"MaxConstancy":   hint,
	}
}

// optionFuncs make options of values.
var optionFuncs = []string{
	"Mask", "Other", "Axis", "Acc", "As", "BoundaryCheck",
	"CacheModifier", "EvictionPolicy", "Sem", "Scope", "InputPrecision",
}

func isOption(name string) bool { return slices.Contains(optionFuncs, name) }

// refusal is why a function of the language is not one of compiled kernels.
type refusal struct{ why, fix string }

const outside = "it is for inspecting tiles outside a kernel"

// refused are the functions and methods that compiled kernels do not have.
var refused = map[string]refusal{
	"Tile.At":         {outside, "pick elements with tl.Gather, or reduce"},
	"Tile.Values":     {outside, "print the tile: p.Print(label, x)"},
	"Tile.Bits":       {outside, "read bits with x.Bitcast"},
	"Tile.Base":       {outside, "the tensor is the tl.Ptr parameter"},
	"Tile.String":     {"there are no run-time strings in a kernel", "print the tile: p.Print(label, x)"},
	"Program.String":  {"there are no run-time strings in a kernel", "print p.ID(0)"},
	"Program.Recover": {"it is for code that launches kernels", "remove it"},
	"TileOf":          {outside, "pass a tensor, or use tl.Full and tl.Arange"},
	"PointerTo":       {"it is for code that launches kernels", "pass the tensor as a tl.Ptr parameter"},
	"NewProgram":      {"it is for code that launches kernels", "use the kernel's own p"},
	"Locate":          {"it is for interpreters of kernels", "remove it"},
	"Watch":           {"it is for code that launches kernels", "remove it"},
	"Watching":        {"it is for code that launches kernels", "remove it"},
	"Tracing":         {"it is for code that launches kernels", "remove it"},
	"Barriers":        {"it is for code that launches kernels", "remove it"},
	"Base.Bits":       {outside, "the tensor is the tl.Ptr parameter"},
	"Base.Describe":   {outside, "the tensor is the tl.Ptr parameter"},
	"Base.Index":      {outside, "the tensor is the tl.Ptr parameter"},
	"Base.Place":      {outside, "the tensor is the tl.Ptr parameter"},
	"NewOutput":       {"it is for code that launches kernels", "print with p.Print"},
	"Fault.Error":     {"a fault ends the instance", "remove it"},
	"Fault.Fix":       {"a fault ends the instance", "remove it"},
	"Fault.Note":      {"a fault ends the instance", "remove it"},
}

// Known reports whether a function or method is lowered.
func Known(key string) bool { return table[key] != nil }

// Refusal is why one is not, and what to write instead.
func Refusal(key string) (why, fix string) { return refused[key].why, refused[key].fix }
