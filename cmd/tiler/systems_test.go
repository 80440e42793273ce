package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOtherSystems: all packages, with their tests, have the right types on systems that go vet does not run on. Types
// are checked from source: for go vet everything would be compiled for each system, the standard library included,
// which takes minutes.
func TestOtherSystems(t *testing.T) {
	if os.Getenv("TILER_LONG") == "" {
		t.Skip("reads the standard library once for each system: TILER_LONG=1")
	}
	for _, system := range []string{"darwin/arm64", "linux/arm64", "windows/amd64"} {
		t.Run(system, func(t *testing.T) {
			name, arch, _ := strings.Cut(system, "/")
			c := checker{
				t: t, files: token.NewFileSet(), done: map[string]*types.Package{"unsafe": types.Unsafe},
				sizes: types.SizesFor("gc", arch),
			}
			c.packages(append(os.Environ(), "GOOS="+name, "GOARCH="+arch, "CGO_ENABLED=0"))
			if len(c.done) < 300 {
				t.Errorf("%d packages", len(c.done))
			}
		})
	}
}

// A listed package is what go list says of it.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string // from what a file names to an ImportPath
	Module          *struct{ Main bool }
}

// A checker finds types, package by package.
type checker struct {
	t     *testing.T
	files *token.FileSet
	done  map[string]*types.Package // by ImportPath
	sizes types.Sizes
}

// packages checks those of the module and what they import, which go list names first.
func (c checker) packages(env []string) {
	list := exec.Command("go", "list", "-deps", "-test", "-json=ImportPath,Dir,GoFiles,ImportMap,Module", "../../...")
	list.Env, list.Stderr = env, os.Stderr
	out, err := list.StdoutPipe()
	if err == nil {
		err = list.Start()
	}
	if err != nil {
		c.t.Fatal(err)
	}
	for d := json.NewDecoder(out); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			c.t.Fatal(err)
		}
		if p.ImportPath != "unsafe" && !strings.HasSuffix(p.ImportPath, ".test") { // the go command's own main
			c.one(p)
		}
	}
	if err := list.Wait(); err != nil {
		c.t.Fatal(err)
	}
}

// one checks a package: what functions of other modules do is not looked at.
func (c checker) one(p listed) {
	var files []*ast.File
	for _, name := range p.GoFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		f, err := parser.ParseFile(c.files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			c.t.Error(err)
			return
		}
		files = append(files, f)
	}
	own := p.Module != nil && p.Module.Main
	config := types.Config{
		Importer: resolver{c.done, p.ImportMap}, Sizes: c.sizes, IgnoreFuncBodies: !own,
		Error: func(err error) {
			if own {
				c.t.Error(err)
			}
		},
	}
	path, _, _ := strings.Cut(p.ImportPath, " ") // "a [a.test]" is a with the files of its tests
	c.done[p.ImportPath], _ = config.Check(path, c.files, files, nil)
}

// A resolver has the packages that one package's files name.
type resolver struct {
	done  map[string]*types.Package
	named map[string]string
}

func (i resolver) Import(path string) (*types.Package, error) {
	if to := i.named[path]; to != "" {
		path = to
	}
	if p := i.done[path]; p != nil {
		return p, nil
	}
	return nil, os.ErrNotExist
}
