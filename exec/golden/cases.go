package golden

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// kernelText is this package's kernels as the compiler reads them.
//
//go:embed kernels.go
var kernelText string

// A kernel is the function that runs a case, and its arguments after the program:
// names of the case's arrays, or values.
type kernel struct {
	name string
	fn   any
	args []any
}

// array names a tensor argument.
type array string

// kernelOf picks the kernel of a case by its family and op.
func kernelOf(c *Case) (kernel, bool) {
	family, _, _ := strings.Cut(c.Name, "/")
	build, ok := kernels[family]
	if !ok {
		build, ok = kernels[family+"/"+c.Op]
	}
	if !ok {
		return kernel{}, false
	}
	return build(c), true
}

// length is the number of elements of an array.
func (c *Case) length(name string) int {
	n := 1
	for _, d := range c.array(name).Shape {
		n *= d
	}
	return n
}

func (c *Case) array(name string) Array {
	if a, ok := c.In[name]; ok {
		return a
	}
	return c.Out[name]
}

func (c *Case) int(attr string) int {
	v, _ := c.Attrs[attr].(float64)
	return int(v)
}

func (c *Case) float(attr string) float64 {
	v, _ := c.Attrs[attr].(float64)
	return v
}

func (c *Case) bool(attr string) bool {
	v, _ := c.Attrs[attr].(bool)
	return v
}

const (
	x, y, z, w, i, cond = array("x"), array("y"), array("z"), array("w"), array("i"), array("c")
)

// elementwise cases over as many lanes as z has.
func binaryCase(c *Case) kernel {
	return kernel{"binary", binary, []any{x, y, z, c.length("z"), c.Op}}
}

func castCase(c *Case) kernel {
	to, _ := c.Attrs["to"].(string)
	d, err := dtype.Parse(to)
	if err != nil {
		d, _ = dtype.Parse(c.array("z").DType)
	}
	family, _, _ := strings.Cut(c.Name, "/")
	return kernel{"cast", cast, []any{x, z, d, c.length("z"), family}}
}

func scalarCase(c *Case) kernel {
	isInt := c.Attrs["scalar_is"] == "int"
	left := c.Attrs["side"] == "scalar_tile"
	n := c.length("z")
	switch {
	case isInt && left:
		return kernel{"intTile", intTile, []any{x, z, c.int("scalar"), n, c.Op}}
	case isInt:
		return kernel{"tileInt", tileInt, []any{x, z, c.int("scalar"), n, c.Op}}
	case left:
		return kernel{"floatTile", floatTile, []any{x, z, c.float("scalar"), n, c.Op}}
	}
	return kernel{"tileFloat", tileFloat, []any{x, z, c.float("scalar"), n, c.Op}}
}

func reduceCase(c *Case) kernel {
	switch {
	case strings.HasSuffix(c.Name, "/all"):
		return kernel{"reduceAll", reduceAll, []any{x, z, c.Op}}
	case strings.HasSuffix(c.Name, "/keep_dims"):
		return kernel{"reduceKeepDims", reduceKeepDims, []any{x, z, c.int("axis"), c.Op}}
	case c.bool("return_indices"):
		return kernel{"reduce", reduce, []any{x, z, w, c.int("axis"), "max_with_indices"}}
	}
	return kernel{"reduce", reduce, []any{x, z, z, c.int("axis"), c.Op}}
}

func dotCase(c *Case) kernel {
	a, b := c.In["x"].Shape, c.In["y"].Shape
	switch c.Op {
	case "dot_acc":
		return kernel{"dotAcc", dotAcc, []any{x, y, w, z, a[0], b[1], a[1]}}
	case "dot_batched":
		return kernel{"dotBatched", dotBatched, []any{x, y, z, a[0], a[1], b[2], a[2]}}
	}
	return kernel{"dot", dot, []any{x, y, z, a[0], b[1], a[1]}}
}

func scanCase(c *Case) kernel {
	if c.Op == "associative_scan_linear" {
		return kernel{"scanLinear", scanLinear, []any{x, y, z, w, c.int("axis")}}
	}
	return kernel{"scan", scan, []any{x, z, c.int("axis"), c.bool("reverse"), c.Op}}
}

func atomicCase(c *Case) kernel {
	switch c.Op {
	case "atomic_cas":
		return kernel{"atomicCAS", atomicCAS, []any{x, y, w, z, c.length("z")}}
	case "atomic_contended":
		return kernel{"atomicContended", atomicContended, []any{x}}
	}
	return kernel{"atomic", atomic, []any{x, y, z, c.int("lanes"), c.length("z"), c.Op}}
}

func shapeCase(c *Case) kernel {
	if c.Op == "split" {
		return kernel{"split", split, []any{x, z, w}}
	}
	return kernel{"shape", shape, []any{x, z, c.Op}}
}

func unaryCase(c *Case) kernel {
	return kernel{"unary", unary, []any{x, z, c.length("z"), c.Op}}
}

// kernels maps a family, or family/op, to the kernel of its cases.
var kernels = map[string]func(c *Case) kernel{
	"binary":      binaryCase,
	"fdiv":        binaryCase,
	"div_rn":      binaryCase,
	"umulhi":      binaryCase,
	"tile_scalar": scalarCase,
	"scalar_tile": scalarCase,
	"unary":       unaryCase,
	"softmax":     unaryCase,
	"cast":        castCase,
	"cast_rtz":    castCase,
	"bitcast":     castCase,
	"store_cast":  castCase,
	"reduce":      reduceCase,
	"dot":         dotCase,
	"dot_acc":     dotCase,
	"atomic":      atomicCase,
	"shape":       shapeCase,
	"where":       func(c *Case) kernel { return kernel{"where", where, []any{cond, x, y, z, c.length("z")}} },
	"clamp": func(c *Case) kernel {
		return kernel{"clamp", clamp, []any{x, z, c.float("lo"), c.float("hi"), c.length("z")}}
	},
	"fma":       func(c *Case) kernel { return kernel{"fma", fma, []any{x, y, w, z, c.length("z")}} },
	"scan":      scanCase,
	"sort":      func(c *Case) kernel { return kernel{"sortRows", sortRows, []any{x, z, c.bool("descending")}} },
	"topk":      func(c *Case) kernel { return kernel{"topk", topk, []any{x, z, c.int("k")}} },
	"histogram": func(c *Case) kernel { return kernel{"histogram", histogram, []any{x, z, c.int("bins"), c.length("x")}} },
	"gather":    func(c *Case) kernel { return kernel{"gather", gather, []any{x, i, z, c.int("axis")}} },
	"flip":      func(c *Case) kernel { return kernel{"flip", flip, []any{x, z, c.int("axis")}} },
	"random":    func(c *Case) kernel { return kernel{"random", random, []any{z, c.Params["seed"], c.Op}} },
	"memory/masked_load": func(c *Case) kernel {
		return kernel{"maskedLoad", maskedLoad, []any{x, z, c.Params["n"], c.float("other"), c.length("z")}}
	},
	"memory/masked_store": func(c *Case) kernel { return kernel{"maskedStore", maskedStore, []any{x, z, c.length("z")}} },
	"memory/strided2d":    func(c *Case) kernel { return kernel{"strided2d", strided2d, []any{x, z}} },
	"memory/block_ptr": func(c *Case) kernel {
		return kernel{"blockPtr", blockPtr, []any{x, z, c.Params["M"], c.Params["N"]}}
	},
	"program":         func(c *Case) kernel { return kernel{"programIDs", programIDs, []any{z}} },
	"control/collatz": func(c *Case) kernel { return kernel{"collatz", collatz, []any{x, z}} },
	"control/loop_carried": func(c *Case) kernel {
		return kernel{"loopCarried", loopCarried, []any{x, z, w, c.Params["n"], c.length("z")}}
	},
}

// compiled are the kernels by name: a kernel reads its source once.
var compiled sync.Map // string → *exec.Kernel

// launch runs a case's kernel in an engine.
func launch(k kernel, engine string, c *Case, t map[string]*tensor.Tensor) error {
	args := make([]any, len(k.args))
	for i, a := range k.args {
		if name, ok := a.(array); ok {
			a = t[string(name)]
		}
		args[i] = a
	}
	e, ok := compiled.Load(k.name)
	if !ok {
		e, _ = compiled.LoadOrStore(k.name, exec.New(k.fn, exec.Source(kernelText, k.name)))
	}
	return e.(*exec.Kernel).With(exec.Options{Engine: engine}).Launch(exec.Grid(c.Grid), args...)
}
