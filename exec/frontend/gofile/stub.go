package gofile

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"sync"
)

// The packages that kernels may import, as declarations.
const (
	LanguagePath = "github.com/tiler-go/tiler/tilelang"
	DTypePath    = "github.com/tiler-go/tiler/tilelang/dtype"
	MathPath     = "math"
)

//go:embed z_tilelang.go.txt
var languageText string

//go:embed z_dtype.go.txt
var dtypeText string

//go:embed math.go.txt
var mathText string

// Package is the declarations of a package that kernels may import.
func Package(path string) *types.Package { return known()[path] }

// known are the packages that have declarations, checked once.
var known = sync.OnceValue(declarations)

func declarations() map[string]*types.Package {
	pkgs := packages{}
	for _, p := range []struct{ path, text string }{{MathPath, mathText}, {DTypePath, dtypeText}, {LanguagePath, languageText}} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, p.path, p.text, parser.SkipObjectResolution)
		if err != nil {
			panic(err) // the texts are part of this package, and tested
		}
		conf := types.Config{Importer: pkgs, IgnoreFuncBodies: true, Sizes: sizes}
		pkg, err := conf.Check(p.path, fset, []*ast.File{f}, nil)
		if err != nil {
			panic(err)
		}
		pkgs[p.path] = pkg
	}
	return pkgs
}

// sizes are those of every machine that tiler runs on: int has 64 bits.
var sizes = types.SizesFor("gc", "amd64")

// packages is an importer of the packages in it. go/types gives a package that it
// does not have any name, of unknown type: only a kernel that uses it is refused.
type packages map[string]*types.Package

// Import implements types.Importer.
func (p packages) Import(path string) (*types.Package, error) {
	if pkg := p[path]; pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("the compiler does not know package %q", path)
}
