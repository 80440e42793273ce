// Package symbols is what Go code at the prompt can import: about forty packages of
// the standard library, and the packages of tiler.
//
// Each package is a table from names to reflect values, made by a generator that reads the
// packages' source; the tables are all that an interpreter of Go needs in order to
// use compiled packages. Types makes go/types packages out of the same tables, so
// that the type checker knows exactly what the interpreter can run and nothing else.
//
// Tables are built when they are first asked for: a session pays for what it
// imports.
package symbols

import (
	"go/constant"
	"go/token"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A Table is the exported names of a package. What a value is tells what the name is:
//
//   - a nil pointer (*T)(nil): the type T
//   - an addressable value: a variable
//   - a constant.Value: an untyped constant
//   - a function: a function
//   - any other value: a typed constant
//
// A name that begins with _ is not of the package: _I is the type of the struct
// that lets an interpreted type be an I, an interface of the package. Its first
// field is the value, the others are the methods, with a W before their names.
type Table map[string]reflect.Value

// A Package is a package that code at the prompt can import.
type Package struct {
	Path string // as imports spell it
	Name string // as the package clause spells it
	load func() Table
}

var packages []Package

// register is called by generated files.
func register(path, name string, load func() Table) {
	packages = append(packages, Package{path, name, sync.OnceValue(load)})
}

// Table is the package's names. It is shared: callers must not change it.
func (p Package) Table() Table { return p.load() }

// Packages lists the packages, by path.
func Packages() []Package { return slices.Clone(sorted()) }

var sorted = sync.OnceValue(func() []Package {
	slices.SortFunc(packages, func(p, q Package) int { return strings.Compare(p.Path, q.Path) })
	return packages
})

// Find is the package with an import path.
func Find(path string) (Package, bool) {
	i, ok := slices.BinarySearchFunc(sorted(), path, func(p Package, path string) int { return strings.Compare(p.Path, path) })
	if !ok {
		return Package{}, false
	}
	return sorted()[i], true
}

// Named is the paths of the packages with a name, shortest first: what a program
// that uses rand without importing it may mean.
func Named(name string) []string {
	var paths []string
	for _, p := range sorted() {
		if p.Name == name {
			paths = append(paths, p.Path)
		}
	}
	slices.SortStableFunc(paths, func(p, q string) int { return len(p) - len(q) })
	return paths
}

// The shorthands of generated files.

// v is not inlined: 2,000 times over that would be most of what compiling the package takes.
//
//go:noinline
func v(x any) reflect.Value { return reflect.ValueOf(x) }

// untyped is an untyped constant in the notation of constant.Value.ExactString,
// which for a fraction is numerator/denominator.
func untyped(kind token.Token, exact string) reflect.Value {
	num, den, fraction := strings.Cut(exact, "/")
	if !fraction || kind == token.STRING || kind == token.CHAR {
		return reflect.ValueOf(constant.MakeFromLiteral(exact, kind, 0))
	}
	return reflect.ValueOf(constant.BinaryOp(constant.MakeFromLiteral(num, token.INT, 0), token.QUO, constant.MakeFromLiteral(den, token.INT, 0)))
}
