package python

import "strings"

// Name is what Go writes for a name that nothing declares.
func Name(name string) string { return names[name] }

var names = map[string]string{
	"None":       "Go says nil; to add a dimension write x[:, None]",
	"True":       "Go says true",
	"False":      "Go says false",
	"self":       "Go names the receiver in the method's declaration",
	"triton":     "the language is package tl; f[grid](arguments) launches a kernel",
	"p":          ":pid 0 of 1 makes p a program instance; in a kernel it is the first parameter, p *tl.Program",
	"pass":       "leave it out: a block may be empty",
	"abs":        "write tl.Abs(x) or math.Abs(x)",
	"cdiv":       "write tl.Cdiv(x, y)",
	"enumerate":  "write for i, x := range xs { … }",
	"exit":       ":quit leaves; os.Exit(0) ends a program",
	"float":      "write float64(x)",
	"help":       ":help lists the commands, :doc NAME says what a name means",
	"isinstance": "write _, ok := x.(T)",
	"list":       "write []int{1, 2, 3}",
	"dict":       "write map[string]int{…}",
	"pow":        "write math.Pow(x, y), for tiles tl.Pow(x, y)",
	"quit":       ":quit leaves; os.Exit(0) ends a program",
	"round":      "write math.Round(x)",
	"sorted":     "write slices.Sort(xs), for tiles tl.Sort(x)",
	"str":        "write fmt.Sprint(x)",
	"sum":        "write tl.Sum(x)",
	"zip":        "write for i := range xs { … xs[i], ys[i] … }",
}

// makers is how tensors are made, by what NumPy and PyTorch call it.
var makers = map[string]string{
	"allclose": "tensor.AllClose(x, y)", "arange": "tensor.Arange(tl.Float32, 0, 8)", "array": "tensor.From([]float32{1, 2, 3})",
	"empty": "tensor.Empty(tl.Float32, 8, 8)", "float16": "tl.Float16", "float32": "tl.Float32", "float64": "tl.Float64",
	"full": "tensor.Full(tl.Float32, 1.5, 8, 8)", "int32": "tl.Int32", "int64": "tl.Int64", "load": `tensor.LoadNpy("x.npy")`,
	"ones": "tensor.Ones(tl.Float32, 8, 8)", "rand": "tensor.Rand(1, tl.Float32, 8, 8)", "randint": "tensor.RandInt(1, tl.Int32, 0, 10, 8, 8)",
	"randn": "tensor.Randn(1, tl.Float32, 8, 8)", "save": `tensor.SaveNpy("x.npy", x)`, "tensor": "tensor.From([]float32{1, 2, 3})",
	"zeros": "tensor.Zeros(tl.Float32, 8, 8)",
}

// Maker is what package tensor has for a function of NumPy or PyTorch; "" if the package is neither.
func Maker(pkg, name string) string {
	switch pkg {
	case "np", "numpy", "torch", "jnp", "jax", "cupy":
	default:
		return ""
	}
	call := makers[name]
	if call == "" {
		call = makers["rand"]
	}
	return "package tensor makes tensors: " + call
}

// members is what a tile or tensor $x has in place of a member.
var members = map[string]string{
	"shape": "write $x.Dim(0), or $x.Shape()", "size": "write $x.Dim(0), or $x.Shape()", "numel": "write $x.Dim(0), or $x.Shape()",
	"ndim": "write len($x.Shape())", "dtype": "write $x.DType()", "astype": "write $x.To(tl.Float32)", "to": "write $x.To(tl.Float32)",
	"view": "write $x.Reshape(…)", "reshape": "write $x.Reshape(…)", "transpose": "write $x.T()", "trans": "write $x.T()",
	"item": "write $x.At(…)", "cuda": "leave it out: everything is on the CPU", "cpu": "leave it out: everything is on the CPU",
	"sum": "write tl.Sum($x)", "max": "write tl.Max($x)", "min": "write tl.Min($x)", "argmax": "write tl.ArgMax($x)", "argmin": "write tl.ArgMin($x)",
	"exp": "write tl.Exp($x)", "sqrt": "write tl.Sqrt($x)", "abs": "write tl.Abs($x)",
	"append": "write $x = append($x, …)",
}

// Member is what Go writes for a member that a value x has in Python; "" if that is not known.
func Member(x, name string) string { return strings.ReplaceAll(members[name], "$x", x) }
