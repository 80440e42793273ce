package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// The rules of the repository, checked by reading its files: which package may import
// which, how long things get, what stands at the top.

const (
	root   = "../.."
	module = "github.com/tiler-go/tiler/"
)

// mayImport is what of this module each package may import; a path that ends in /...
// stands for everything below it. A package of a row may import its own row's packages
// only where they are named.
var mayImport = map[string][]string{
	"tilelang/diag":      {},
	"tilelang/dtype":     {},
	"tilelang/shape":     {},
	"tilelang/overwrite": {},
	"tilelang/lattice":   {},
	"exec/cpu":           {},
	"exec/codemem":       {},
	"exec/amd64/asm":     {},
	"tilelang/cast":      {"tilelang/dtype"},
	"tilelang/op":        {"tilelang/op/primitive", "tilelang/cast", "tilelang/dtype"},
	"tilelang/rule":      {"tilelang/op", "tilelang/dtype", "tilelang/shape", "tilelang/diag"},
	"tilelang/dot":       {"tilelang/op", "tilelang/op/primitive", "tilelang/rule", "tilelang/dtype", "tilelang/diag"},
	"tilelang/tensor": {"tilelang/tensor/npy", "tilelang/tensor/random", "tilelang/tensor/stride", "tilelang/cast",
		"tilelang/dtype", "tilelang/shape", "tilelang/overwrite", "tilelang/lattice"},
	"tilelang/op/primitive":  {"tilelang/dtype"},
	"tilelang/tensor/random": {"tilelang/cast", "tilelang/dtype"},
	"tilelang/tensor/stride": {},
	"tilelang/tensor/npy":    {"tilelang/tensor/stride", "tilelang/dtype", "tilelang/shape"},
	"tilelang": {"tilelang/dot", "tilelang/op", "tilelang/rule", "tilelang/tensor",
		"tilelang/dtype", "tilelang/diag", "tilelang/shape"},
	"exec/ir": {"tilelang/dot", "tilelang/op", "tilelang/rule", "tilelang/dtype", "tilelang/diag", "tilelang/shape",
		"tilelang/lattice"},
	"exec/emit":            {"exec/ir", "tilelang/op", "tilelang/rule", "tilelang/dtype", "tilelang/diag"},
	"exec/frontend/gofile": {"tilelang/diag"},
	"exec/frontend/goint":  {"tilelang/dtype"},
	"exec/frontend/value": {"exec/frontend/gofile", "exec/frontend/goint", "exec/emit", "exec/ir",
		"tilelang/op", "tilelang/dtype", "tilelang/diag"},
	"exec/frontend/builtin": {"exec/frontend/gofile", "exec/frontend/value", "exec/emit", "exec/ir", // gofile in tests
		"tilelang/dot", "tilelang/op", "tilelang/rule", "tilelang/dtype", "tilelang/diag"},
	"exec/frontend/flow": {"exec/frontend/value", "exec/emit", "exec/ir", "tilelang/op", "tilelang/diag"},
	"exec/frontend": {"exec/frontend/builtin", "exec/frontend/flow", "exec/frontend/gofile", "exec/frontend/value",
		"exec/emit", "exec/ir", "tilelang/op", "tilelang/dtype", "tilelang/diag"},
	"exec/portable":    {"exec/portable/...", "exec/affine", "exec/ir", "tilelang/op", "tilelang/dtype"},
	"exec/pass/onehot": {"exec/ir", "tilelang/op", "tilelang/dtype"},
	"exec/pass/arms":   {"exec/ir", "exec/pass/write"},
	"exec/pass/once":   {"exec/ir", "exec/pass/write", "tilelang/op", "tilelang/dtype"},
	"exec/pass/either": {"exec/ir", "exec/pass/write", "tilelang/op", "tilelang/dtype"},
	"exec/pass/carried": {
		"exec/ir", "tilelang/op", "tilelang/dtype",
	},
	"exec/pass/write": {"exec/ir", "tilelang/op", "tilelang/diag"},
	"exec/pass/runs":  {"exec/pass/write", "exec/affine", "exec/ir", "tilelang/op", "tilelang/dtype"},
	"exec/pass/under": {"exec/pass/write", "exec/affine", "exec/ir", "tilelang/op", "tilelang/dtype"},
	"exec/pass/units": {"exec/affine", "exec/ir", "tilelang/op", "tilelang/dtype"},
	"exec/pass/pairs": {"exec/pass", "exec/pass/write", "exec/affine", "exec/ir", "tilelang/op", "tilelang/dtype"},
	"exec/pass/woven": {"exec/pass", "exec/pass/write", "exec/affine", "exec/ir", "tilelang/op", "tilelang/dtype"},
	"exec/pass": {
		"exec/pass/arms", "exec/pass/once", "exec/pass/either", "exec/pass/units", "exec/pass/onehot", "exec/pass/runs",
		"exec/pass/under", "exec/pass/write", "exec/affine", "exec/ir", "tilelang/op",
		"tilelang/dtype", "tilelang/diag",
	},
	"exec/affine":      {"exec/ir", "tilelang/op", "tilelang/dtype"},
	"exec/fuse":        {"exec/fuse/packed", "exec/affine", "exec/ir", "tilelang/dot", "tilelang/op", "tilelang/dtype"},
	"exec/fuse/packed": {"exec/affine", "exec/ir", "tilelang/op", "tilelang/dtype"},
	"exec/product": {
		"exec/product/reach", "exec/affine", "exec/fuse", "exec/ir", "tilelang/dot", "tilelang/op", "tilelang/dtype",
	},
	"exec/product/reach": {"exec/affine", "exec/ir", "tilelang/op", "tilelang/dtype"},
	"exec/product/cut":   {},
	"exec/regalloc":      {},
	"exec/pool":          {"exec/codemem"},
	"exec/amd64/trait":   {"exec/amd64/asm"},
	"exec/amd64/lir":     {"exec/amd64/asm", "exec/amd64/trait", "exec/regalloc"},
	"exec/amd64/frame":   {"exec/amd64/asm", "exec/amd64/lir", "exec/codemem", "tilelang/dtype"},
	"exec/amd64/lane": {"exec/amd64/asm", "exec/amd64/lir", "exec/amd64/frame", "exec/cpu", "tilelang/op",
		"tilelang/dtype"},
	"exec/amd64/scalar":   {"exec/amd64/asm", "exec/amd64/lir", "exec/amd64/lane", "exec/amd64/elementwise", "exec/affine", "exec/cpu", "exec/ir", "tilelang/op", "tilelang/dtype"},
	"exec/amd64/order":    {"exec/amd64/asm", "exec/amd64/lir", "exec/amd64/lane", "exec/amd64/elementwise", "tilelang/dtype", "tilelang/op"},
	"exec/amd64/scan":     {"exec/amd64/asm", "exec/amd64/lir", "exec/amd64/lane", "exec/amd64/elementwise", "exec/amd64/gather", "tilelang/dtype", "tilelang/op"},
	"exec/amd64/gather":   {"exec/amd64/asm", "exec/amd64/lir", "exec/amd64/lane", "exec/amd64/elementwise", "exec/cpu", "tilelang/dtype", "tilelang/op"},
	"exec/amd64/instance": {"exec/amd64/frame", "exec/amd64/scalar", "exec/ir", "tilelang/dtype"},
	"exec/amd64/multiply": {"exec/amd64/asm", "exec/amd64/lir", "exec/amd64/lane", "exec/amd64/elementwise", "tilelang/dot", "tilelang/dtype"},
	"exec/amd64/swap": {"exec/amd64/asm", "exec/amd64/lir", "exec/amd64/lane", "exec/amd64/elementwise", "exec/ir",
		"tilelang/op", "tilelang/dtype"},
	"exec/amd64/transpose": {"exec/amd64/asm", "exec/amd64/lir"},
	"exec/amd64/cost":      {"exec/affine", "exec/ir", "exec/pass/runs", "tilelang/op"},
	"exec/amd64/reduce":    {"exec/amd64/lane", "exec/amd64/elementwise", "exec/ir", "tilelang/dtype", "tilelang/op"},
	"exec/amd64/aside":     {"exec/ir", "tilelang/dtype", "tilelang/op"},
	"exec/amd64/gemm/micro": {
		"exec/amd64/asm", "exec/amd64/lir", "exec/amd64/frame", "exec/amd64/lane", "exec/amd64/elementwise",
		"exec/amd64/gather", "exec/amd64/transpose", "exec/product", "exec/ir", "exec/cpu", "tilelang/dot", "tilelang/dtype",
		"tilelang/op",
	},
	"exec/amd64/gemm": {
		"exec/amd64/lir", "exec/amd64/frame", "exec/amd64/gemm/micro", "exec/affine", "exec/product", "exec/product/cut",
		"exec/ir", "exec/cpu", "tilelang/dot", "tilelang/dtype", "tilelang/lattice",
	},
	"exec/amd64/single": {
		"exec/amd64/asm", "exec/amd64/lir", "exec/amd64/lane", "exec/amd64/scalar", "exec/amd64/tiles", "exec/amd64/nest",
		"exec/amd64/swap", "exec/affine", "exec/ir", "tilelang/op",
	},
	"exec/amd64/store": {
		"exec/amd64/asm", "exec/amd64/lir",
		"exec/amd64/lane", "exec/amd64/gather", "exec/amd64/scalar", "exec/amd64/tiles", "exec/amd64/nest",
		"exec/amd64/single", "exec/amd64/scatter", "exec/affine", "exec/fuse", "exec/ir", "tilelang/dtype", "tilelang/op",
	},
	"exec/amd64": {
		"exec/amd64/store", "exec/amd64/bylane", "exec/amd64/scatter", "exec/amd64/single", "exec/amd64/asm",
		"exec/amd64/lir", "exec/amd64/swap",
		"exec/amd64/frame", "exec/amd64/lane", "exec/amd64/scalar", "exec/amd64/gather", "exec/amd64/order",
		"exec/amd64/instance", "exec/amd64/tiles", "exec/amd64/nest", "exec/amd64/fold", "exec/amd64/multiply",
		"exec/amd64/cost", "exec/amd64/aside", "exec/amd64/gemm", "exec/affine", "exec/fuse", "exec/pass", "exec/product",
		"exec/ir", "exec/cpu", "exec/codemem", "tilelang/dot", "tilelang/op", "tilelang/dtype", "tilelang/lattice",
		"exec/amd64/elementwise", "exec/pass/carried", "exec/pass/pairs", "exec/pass/runs", "exec/pass/woven",
	},
	"exec/promote": {"exec/ir", "tilelang/..."},
	"exec/source": {"exec/frontend/gofile", "exec/frontend", "exec/kerneltest/kernels/shared", // these two in tests
		"tilelang/..."},
	"exec/check":           {"tilelang/..."},
	"exec/check/sanitizer": {"exec/check", "exec/check/layout", "exec/check/shadow", "tilelang/..."},
	"exec/check/shadow":    {"tilelang"},
	"exec/check/layout":    {},
	"exec/check/data":      {"tilelang/dtype"},
	"exec/check/factor":    {},
	"exec/check/launch": {"exec/check", "exec/check/sanitizer", "exec/check/data", "exec/check/factor", "exec/check/layout",
		"exec/grid", "tilelang/..."},
	"exec/grid": {},
	"exec/run": {"exec/codemem", "exec/eager", "exec/engine", "exec/function", "exec/grid", "exec/ir", "exec/pool",
		"exec/variant", "tilelang/..."},
	"exec/tune":        {"exec/check", "exec/check/launch", "tilelang/..."},
	"exec/check/facts": {"exec/check/launch", "exec/frontend", "exec/frontend/gofile", "exec/function", "exec/ir", "tilelang/op"},
	"exec/widen":       {"exec/affine", "exec/ir", "exec/pass", "exec/pass/write", "tilelang/op", "tilelang/dtype"},
	"exec/engine": {
		"exec/amd64", "exec/cpu", "exec/grid", "exec/ir", "exec/portable", "exec/widen", "tilelang/dtype", "tilelang/tensor",
	},
	"exec/variant": {"exec/engine", "exec/frontend", "exec/frontend/gofile", "exec/function", "exec/ir", "exec/pass", "exec/promote",
		"tilelang/..."},
	"exec/inspect": {"exec/amd64", "exec/amd64/cost", "exec/codemem", "exec/cpu", "exec/engine", "exec/frontend", "exec/frontend/gofile",
		"exec/ir", "exec/pass", "exec/source", "exec/variant", "exec/widen", "tilelang/..."},
	"exec/eager":         {"exec/ir", "tilelang/..."},
	"exec":               {"exec/...", "tilelang/..."},
	"exec/triton/syntax": {"tilelang/diag"},
	"exec/triton/lower/value": {"exec/triton/number", "exec/triton/spell", "exec/triton/syntax", "exec/emit", "exec/ir",
		"tilelang/op", "tilelang/rule", "tilelang/dtype", "tilelang/diag"},
	"exec/triton/lower/flow": {"exec/triton/lower/value", "exec/triton/live", "exec/triton/number", "exec/triton/syntax", "exec/emit",
		"exec/ir", "tilelang/op", "tilelang/dtype", "tilelang/diag"},
	"exec/triton/lower/builtin": {"exec/triton/lower/value", "exec/triton/number", "exec/triton/spell", "exec/triton/syntax", // syntax in tests
		"exec/emit", "exec/ir", "tilelang/op", "tilelang/rule", "tilelang/dtype", "tilelang/diag"},
	"exec/triton/lower": {"exec/triton/lower/builtin", "exec/triton/lower/flow", "exec/triton/lower/value", "exec/triton/live",
		"exec/triton/number", "exec/triton/spell", "exec/triton/syntax", "exec/emit", "exec/ir",
		"tilelang/op", "tilelang/rule", "tilelang/dtype", "tilelang/diag"},
	"exec/triton/gogen/value": {"exec/triton/lower", "exec/triton/syntax",
		"tilelang/op", "tilelang/dtype", "tilelang/diag"},
	"exec/triton/gogen/builtin": {"exec/triton/gogen/value", "exec/triton/lower",
		"tilelang/op", "tilelang/rule", "tilelang/dtype"},
	"exec/triton/gogen": {"exec/triton/gogen/builtin", "exec/triton/gogen/value", "exec/triton/lower", "exec/triton/syntax", "tilelang/dtype", "tilelang/diag", "exec/triton/spell"},
	"exec/triton": {"exec/triton/gogen", "exec/triton/lower", "exec/triton/spell", "exec/triton/syntax", "exec", "exec/ir",
		"tilelang/..."},
	"exec/triton/replay": {"exec/triton", "exec/triton/lower", "exec/triton/spell", "exec", "exec/check", "exec/ir", "tilelang/..."},
	"exec/triton/script": {"exec/triton", "exec/triton/lower", "exec/triton/spell", "exec", "tilelang/..."},
	"exec/golden":        {"exec", "tilelang/..."},
	"exec/bench":         {"exec/...", "tilelang/..."},
	"exec/bench/real":    {"exec", "tilelang/..."},
	"exec/bench/limit":   {"exec/bench/real", "exec/amd64/asm", "exec/codemem", "exec/cpu", "tilelang/dtype"},
	"exec/bench/peer":    {"exec/cpu"},
	"exec/trace":         {"exec", "exec/palette", "tilelang/..."},
	"exec/kerneltest": {
		"exec/kerneltest/kernels/...", "exec/eager", "exec/codemem", "exec/ir", "tilelang/...",
	},
	"exec/kerneltest/corpus":  {"exec/kerneltest", "exec/kerneltest/kernels/...", "tilelang"},
	"exec/kerneltest/kernels": {"tilelang"},
	"exec/kerneltest/kernels/plane": {
		"tilelang",
	},
	"exec/kerneltest/kernels/ended": {
		"tilelang",
	},
	"exec/kerneltest/kernels/element": {
		"exec/kerneltest/kernels/shared/...", "tilelang",
	},
	"exec/kerneltest/kernels/shared": {
		"exec/kerneltest/kernels/shared/...", "tilelang",
	},
	"exec/kerneltest/kernels/shared/unlike-v2": {
		"tilelang",
	},
	"exec/kerneltest/kernels/product": {
		"tilelang",
	},
	"exec/kerneltest/random": {"exec/kerneltest", "exec/ir", "tilelang/..."},
	"exec/palette":           {},
	"exec/shard":             {},
	"repl/picture":           {"exec/palette"},
	"repl/show":              {"repl/picture", "exec/check", "tilelang/..."}, // reports are data
	"repl/plot":              {"repl/picture", "repl/show", "tilelang/..."},
	"repl/blocks":            {"repl/picture", "repl/show", "exec", "tilelang/..."},
	"repl/edit":              {"tilelang/overwrite"},
	"repl/python":            {},
	"repl/call":              {},
	"repl/symbols":           {"tilelang/...", "exec", "exec/check"},
	"repl/lower/source":      {"tilelang/diag"},
	"repl/lower/naming":      {"repl/lower/source"},
	"repl/lower/exprs":       {"repl/lower/naming", "repl/lower/source", "repl/symbols"},
	"repl/lower":             {"repl/lower/...", "tilelang/diag"},
	"repl/walk":              {"repl/cell", "exec", "tilelang/..."},
	"repl/cell/scan":         {"repl/python"},
	"repl/cell/sugar":        {"repl/cell/scan", "tilelang/diag"},
	"repl/cell/builtin":      {},
	"repl/cell/box":          {"repl/cell/builtin", "repl/lower", "repl/symbols"},
	"repl/cell/check":        {"repl/cell/scan", "repl/cell/sugar", "repl/lower", "repl/python", "repl/symbols", "tilelang/diag", "tilelang/op"},
	"repl/cell/complete":     {"repl/cell/check", "repl/cell/scan", "repl/cell/sugar", "repl/symbols"},
	"repl/cell/host":         {"repl/cell/box", "repl/cell/builtin", "repl/cell/sugar", "repl/lower", "repl/symbols", "exec", "tilelang/..."},
	"repl/cell/save":         {"repl/cell/check", "repl/cell/scan", "repl/cell/sugar", "repl/lower", "tilelang/diag"},
	"repl/cell":              {"repl/cell/...", "repl/lower", "repl/python", "repl/symbols", "exec", "tilelang/..."},
	"repl/learn":             {"repl/picture", "repl/show", "exec", "exec/check", "tilelang/..."},
	"repl/learn/puzzles":     {"repl/learn", "exec", "exec/check", "tilelang/..."},
	"repl/screen":            {"repl/cell", "repl/edit", "repl/picture", "repl/show", "exec", "tilelang/..."},
	"repl/launch":            {"repl/call", "repl/cell", "repl/screen", "repl/show", "exec", "exec/triton", "tilelang/..."},
	"repl/explain":           {"repl/picture", "repl/screen", "repl/show", "repl/symbols", "tilelang/..."},
	"repl/lesson":            {"repl/launch", "repl/learn", "repl/learn/puzzles", "repl/show", "exec", "tilelang/..."},
	"repl/kernels": {"repl/blocks", "repl/cell", "repl/edit", "repl/launch", "repl/picture", "repl/plot", "repl/screen", "repl/show",
		"repl/walk", "exec", "exec/cpu", "tilelang/..."},
	"repl":      {"repl/...", "exec", "tilelang/..."},
	"notebooks": {},
	"notebooks/nb": {"repl/blocks", "repl/learn/...", "repl/picture", "repl/show", "exec/palette", "exec",
		"tilelang/..."},
	"notebooks/kernel/zmtp": {},
	"notebooks/kernel":      {"notebooks/kernel/zmtp", "repl", "repl/cell", "repl/cell/scan", "repl/picture", "repl/show"},
	"notebooks/jupyter":     {"repl", "repl/show", "tilelang/overwrite"},
	"notebooks/site":        {"exec/palette", "notebooks", "repl/learn/...", "tilelang/overwrite"},
	"notebooks/site/play":   {"repl", "repl/cell", "repl/learn/puzzles", "repl/picture", "repl/show", "tilelang/..."},
	"notebooks/site/wasm":   {"notebooks/site/play"},
	"cmd/tiler/cli":         {"repl/edit", "repl/show", "tilelang/diag"},
	"cmd/tiler/samples":     {"cmd/tiler/cli", "examples", "notebooks", "notebooks/jupyter", "repl/learn/puzzles"},
	"cmd/tiler":             {"cmd/tiler/...", "repl/...", "notebooks", "notebooks/site", "notebooks/jupyter", "notebooks/kernel", "examples", "exec/...", "tilelang/..."},
	// A module of its own, of which nothing is imported elsewhere.
	"exec/beam/cut": {"exec", "exec/affine", "exec/frontend", "exec/frontend/gofile", "exec/ir", "exec/pass", "exec/triton",
		"tilelang/..."},
	"exec/beam/files":          {"exec/beam/cut", "tilelang/..."},
	"exec/beam":                {"exec/beam/...", "tilelang/..."},
	"exec/beam/cmd/tiler-beam": {"exec/beam"},
	"examples":                 {},
	"examples/*":               {"exec", "tilelang/..."},
	"exec/portable/storage":    {"tilelang/dtype"},
	"exec/portable/strided":    {"tilelang/dtype", "tilelang/lattice", "tilelang/shape"},
	"exec/portable/rows":       {"tilelang/op", "tilelang/op/primitive", "tilelang/dtype"},
	"exec/portable/lanes":      {"tilelang/op", "tilelang/op/primitive", "tilelang/dtype"},
	"exec/portable/run": {"exec/portable/lanes", "exec/portable/rows", "exec/portable/storage", "exec/portable/strided",
		"exec/ir", "tilelang/dot", "tilelang/op", "tilelang/dtype"},
	"exec/function":      {"exec/eager", "exec/frontend", "exec/frontend/gofile", "exec/ir", "exec/source", "tilelang/..."},
	"exec/triton/number": {"tilelang/dtype"},
	"exec/triton/spell":  {"tilelang/op", "tilelang/dtype", "tilelang/diag"},
	"exec/triton/live":   {"exec/triton/syntax"},
	"exec/amd64/cursor": {"exec/amd64/asm", "exec/amd64/lir", "exec/amd64/lane", "exec/amd64/tiles", "exec/amd64/gather",
		"exec/affine", "exec/ir", "tilelang/op", "tilelang/dtype"},
	"exec/amd64/nest": {"exec/amd64/asm", "exec/amd64/lir", "exec/amd64/lane", "exec/amd64/elementwise", "exec/amd64/scalar",
		"exec/amd64/tiles", "exec/amd64/cursor",
		"exec/amd64/gather", "exec/amd64/scan", "exec/amd64/transpose", "exec/amd64/cost", "exec/affine", "exec/fuse",
		"exec/ir", "tilelang/op", "tilelang/dtype"},
	"exec/amd64/bylane": {"exec/amd64/asm", "exec/amd64/lir", "exec/amd64/lane", "exec/amd64/tiles", "exec/amd64/nest",
		"exec/amd64/gather", "exec/amd64/scalar", "exec/affine", "exec/ir", "tilelang/op", "tilelang/dtype"},
	"exec/amd64/scatter": {"exec/amd64/asm", "exec/amd64/lir", "exec/amd64/lane", "exec/amd64/scalar", "exec/amd64/bylane",
		"exec/amd64/tiles", "exec/amd64/nest", "exec/amd64/gather", "exec/affine", "exec/fuse/packed", "exec/ir",
		"tilelang/op", "tilelang/dtype"},
	"exec/amd64/fold": {"exec/amd64/asm", "exec/amd64/lir", "exec/amd64/lane", "exec/amd64/elementwise", "exec/amd64/scalar",
		"exec/amd64/tiles",
		"exec/amd64/nest", "exec/amd64/reduce", "exec/amd64/scan", "exec/affine", "exec/fuse", "exec/ir", "tilelang/op", "tilelang/dtype"},
	"exec/amd64/tiles": {"exec/amd64/asm", "exec/amd64/lir", "exec/amd64/frame", "exec/amd64/lane", "exec/amd64/elementwise",
		"exec/amd64/scalar",
		"exec/amd64/instance", "exec/amd64/cost", "exec/affine", "exec/fuse", "exec/ir", "tilelang/op", "tilelang/dtype"},
	"exec/amd64/elementwise": {"exec/amd64/asm", "exec/amd64/lir", "exec/amd64/lane", "exec/amd64/frame",
		"tilelang/op", "tilelang/dtype"},
}

// onlyIn is imports that few files may have, because what they bring in is dangerous or
// replaceable: the file, or the folder if it ends in /.
var onlyIn = map[string][]string{
	"unsafe": {
		"tilelang/dtype/buf.go",                                                                    // views of memory, each with its range
		"tilelang/dtype/fence.go", "tilelang/dtype/fence_unix.go", "tilelang/dtype/fence_other.go", // where it ends
		"exec/codemem/",                                        // executable pages
		"exec/amd64/frame/frame.go", "exec/amd64/gemm/part.go", // addresses handed to machine code
		"repl/cell/host/eval.go", // a field of the interpreter of Go
	},
	"github.com/traefik/yaegi/interp": {"repl/cell/host/eval.go"},
	"github.com/chzyer/readline":      {"repl/edit/"},
}

// source is one parsed Go file.
type source struct {
	path string // from the root, with slashes
	text []byte
	fset *token.FileSet
	ast  *ast.File
}

func (s source) pkg() string     { return filepath.ToSlash(filepath.Dir(s.path)) }
func (s source) test() bool      { return strings.HasSuffix(s.path, "_test.go") }
func (s source) generated() bool { return strings.HasPrefix(filepath.Base(s.path), "z_") }

// sources is every Go file of the module, read once.
func sources(t *testing.T) []source {
	t.Helper()
	all, err := readSources()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var readSources = sync.OnceValues(func() (all []source, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (name == "testdata" || strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		s := source{path: filepath.ToSlash(rel), fset: token.NewFileSet()}
		if s.text, err = os.ReadFile(path); err != nil {
			return err
		}
		s.ast, err = parser.ParseFile(s.fset, s.path, s.text, parser.ParseComments|parser.SkipObjectResolution)
		all = append(all, s)
		return err
	})
	return all, err
})

// rule is what a package may import.
func rule(pkg string) (allowed []string, ok bool) {
	if strings.HasPrefix(pkg, "examples/") {
		pkg = "examples/*"
	}
	allowed, ok = mayImport[pkg]
	return allowed, ok
}

func permitted(allowed []string, imported string) bool {
	return slices.ContainsFunc(allowed, func(a string) bool {
		if tree, ok := strings.CutSuffix(a, "/..."); ok {
			return imported == tree || strings.HasPrefix(imported, tree+"/")
		}
		return a == imported
	})
}

func TestLayers(t *testing.T) {
	for _, s := range sources(t) {
		allowed, ok := rule(s.pkg())
		if !ok && !strings.Contains(s.path, "gen.go") {
			t.Errorf("%s: package %s is not in the table of layers", s.path, s.pkg())
			continue
		}
		for _, i := range s.ast.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			checkPlace(t, s, path)
			imported, ours := strings.CutPrefix(path, module)
			rooms := []string{"exec/kerneltest/random", "exec/kerneltest/corpus"} // of what only tests import
			testing := imported == "exec/kerneltest" || slices.Contains(rooms, imported)
			switch {
			case !ours || s.pkg() == imported:
			case testing && s.test():
			case s.test() && strings.HasSuffix(s.ast.Name.Name, "_test"):
				// An external test may use what stands above its package.
			case !permitted(allowed, imported) || testing && !slices.Contains(rooms, s.pkg()):
				t.Errorf("%s imports %s: the layers do not allow it", s.path, imported)
			}
		}
	}
}

// checkPlace refuses a guarded import outside its place; tests are free.
func checkPlace(t *testing.T, s source, path string) {
	places, guarded := onlyIn[path]
	if !guarded || s.test() {
		return
	}
	if !slices.ContainsFunc(places, func(p string) bool { return s.path == p || strings.HasSuffix(p, "/") && strings.HasPrefix(s.path, p) }) {
		t.Errorf("%s imports %s, which is kept to %v", s.path, path, places)
	}
}

// Limits: a file, a function, its branches, an interface; and nine functions of ten.
const (
	maxFile      = 1000
	maxFunction  = 120
	maxBranches  = 32
	maxInterface = 4
	mostFunction = 40
)

// longer is what may go beyond a limit, and why.
var longer = map[string]string{
	"exec/kerneltest/kernels/ended/walks.go Walks": "a switch of kernels, of which one is compiled",
}

func TestSizes(t *testing.T) {
	var lengths []int
	for _, s := range sources(t) {
		if n := bytes.Count(s.text, []byte("\n")); n > maxFile && !s.generated() && longer[s.path] == "" {
			t.Errorf("%s has %d lines, at most %d are allowed", s.path, n, maxFile)
		}
		if s.generated() {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				lines := s.fset.Position(n.End()).Line - s.fset.Position(n.Pos()).Line + 1
				if !s.test() {
					lengths = append(lengths, lines)
				}
				id := s.path + " " + n.Name.Name
				if lines > maxFunction && longer[id] == "" {
					t.Errorf("%s has %d lines, at most %d are allowed", id, lines, maxFunction)
				}
				if b := branches(n); b > maxBranches && !s.test() && longer[id] == "" {
					t.Errorf("%s has %d branches, at most %d are allowed", id, b, maxBranches)
				}
			case *ast.TypeSpec:
				i, ok := n.Type.(*ast.InterfaceType)
				if id := s.path + " " + n.Name.Name; ok && i.Methods.NumFields() > maxInterface && longer[id] == "" {
					t.Errorf("interface %s has %d methods, at most %d are allowed", id, i.Methods.NumFields(), maxInterface)
				}
			}
			return true
		})
	}
	slices.Sort(lengths)
	if p90 := lengths[len(lengths)*9/10]; p90 > mostFunction {
		t.Errorf("one function in ten is longer than %d lines, at most %d are allowed", p90, mostFunction)
	}
}

// branches counts where control may go two ways: statements, cases, and conditions joined by && or ||.
func branches(f *ast.FuncDecl) (n int) {
	ast.Inspect(f, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.CaseClause:
			n++
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// TestPackageComments: every package says what it is, in one file.
func TestPackageComments(t *testing.T) {
	documented := map[string]int{}
	for _, s := range sources(t) {
		if s.test() || s.ast.Name.Name == "main" && ignored(s) {
			continue
		}
		documented[s.pkg()] += 0
		if s.ast.Doc != nil && len(s.ast.Doc.Text()) > 0 {
			documented[s.pkg()]++
		}
	}
	for pkg, n := range documented {
		if n != 1 {
			t.Errorf("package %s has %d package comments, want 1", pkg, n)
		}
	}
}

// ignored reports whether a file is left out of every build: a generator.
func ignored(s source) bool { return bytes.Contains(s.text, []byte("//go:build ignore\n")) }

// TestGenerated: files named z_ say that they are generated, and no others do.
func TestGenerated(t *testing.T) {
	for _, s := range sources(t) {
		if ast.IsGenerated(s.ast) != s.generated() {
			t.Errorf("%s: generated files, and only they, are named z_*.go and say so at the top", s.path)
		}
	}
}

func TestTopLevel(t *testing.T) {
	allowed := []string{"LICENSE", "README.md", "go.mod", "go.sum", "cmd", "examples", "exec", "notebooks", "repl", "tilelang"}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(allowed, e.Name()) {
			t.Errorf("%s does not belong at the top: there are %v and dot files", e.Name(), allowed)
		}
	}
}

// TestDecisions: each decision names files, relative to its folder, and they exist. No log is nearer to the first.
func TestDecisions(t *testing.T) {
	for _, path := range decisionLogs(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for section := range strings.SplitSeq(string(text), "\n## ") {
			title, body, _ := strings.Cut(section, "\n")
			if strings.HasPrefix(title, "# ") {
				continue
			}
			_, field, ok := strings.Cut(body, "- **file** ")
			if !ok {
				t.Errorf("%s: %q names no file", path, title)
			}
			field, _, _ = strings.Cut(field, "\n- ")
			for i, name := range strings.Split(field, "`") {
				if i%2 == 0 {
					continue
				}
				log := logOf(filepath.Join(filepath.Dir(path), name))
				if i == 1 && log != path && strings.HasPrefix(log, filepath.Dir(path)) {
					t.Errorf("%s: %q belongs to %s, which is nearer to %s", path, title, log, name)
				}
				if _, err := os.Stat(filepath.Join(filepath.Dir(path), name)); err != nil {
					t.Errorf("%s: %q names a file that is gone: %s", path, title, name)
				}
			}
		}
	}
}

// logOf is the log nearest to a file, upward from its folder; a file in a folder without any has none.
func logOf(file string) string {
	dir := filepath.Dir(file)
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		log := filepath.Join(dir, "DECISIONS.md")
		if _, err := os.Stat(log); err == nil {
			return log
		}
	}
	return ""
}

// decisionLogs is every DECISIONS.md of the module.
func decisionLogs(t *testing.T) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "DECISIONS.md" {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil || len(paths) == 0 {
		t.Fatal("no decision logs: ", err)
	}
	return paths
}

// TestLeftovers: nothing is left for later in words, and no path of anybody's machine.
func TestLeftovers(t *testing.T) {
	for _, s := range sources(t) {
		for i, line := range strings.Split(string(s.text), "\n") {
			for _, word := range []string{"TO" + "DO", "FIX" + "ME", "not " + "implemented", "/" + "work/"} {
				if strings.Contains(line, word) && !s.generated() {
					t.Errorf("%s:%d: %s", s.path, i+1, fmt.Sprintf("%q", strings.TrimSpace(line)))
				}
			}
		}
	}
}
