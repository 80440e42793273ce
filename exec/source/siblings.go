//go:build !tiler_page

package source

import (
	"go/build/constraint"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
)

// siblings are the other files of a file's package that a program of it is made of, and
// the names that those declare which certainly are. holds says of a file whether the running
// program has code from it; it may be nil.
func siblings(name, text string, holds func(file string) bool) (rest []gofile.Source, names map[string]bool) {
	folder, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return nil, nil
	}
	pkg, _ := gofile.Declares(text)
	names = map[string]bool{}
	for _, e := range folder {
		other := filepath.ToSlash(filepath.Join(filepath.Dir(name), e.Name())) // as the compiler names files
		held := holds != nil && holds(other)
		test := strings.HasSuffix(other, "_test.go") && !strings.HasSuffix(name, "_test.go") && !held
		if e.IsDir() || !strings.HasSuffix(other, ".go") || other == filepath.ToSlash(filepath.Clean(name)) || test {
			continue
		}
		b, err := os.ReadFile(other)
		if err != nil || !held && !builtHere(other, string(b)) {
			continue
		}
		clause, declared := gofile.Declares(string(b))
		if clause != pkg {
			continue
		}
		rest = append(rest, gofile.Source{Name: other, Text: string(b)})
		for _, n := range declared {
			names[n] = names[n] || held || !ofFiles()
		}
	}
	return rest, names
}

// ofFiles reports whether the program was built of files by name, as by go run FILE.go:
// then other files in the folder may be no part of it.
var ofFiles = sync.OnceValue(func() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && strings.HasPrefix(info.Path, "command-line-arguments")
})

// builtHere reports whether a file is part of its package in builds like the running
// program's: its name and its //go:build line say so.
func builtHere(name, text string) bool {
	base := filepath.Base(name)
	if base[0] == '_' || base[0] == '.' {
		return false
	}
	for _, word := range platform(base) {
		if !buildTag(word) {
			return false
		}
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return false
	}
	plus := true
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() > f.Package {
				break
			}
			x, err := constraint.Parse(c.Text)
			switch {
			case err != nil:
			case constraint.IsGoBuild(c.Text):
				return x.Eval(buildTag)
			default:
				plus = plus && x.Eval(buildTag)
			}
		}
	}
	return plus
}

// platform is the operating system and the architecture that a file's name ends with.
func platform(base string) []string {
	words := strings.Split(strings.TrimSuffix(strings.TrimSuffix(base, ".go"), "_test"), "_")[1:]
	n := len(words)
	switch {
	case n >= 2 && slices.Contains(systems, words[n-2]) && slices.Contains(processors, words[n-1]):
		return words[n-2:]
	case n >= 1 && (slices.Contains(systems, words[n-1]) || slices.Contains(processors, words[n-1])):
		return words[n-1:]
	}
	return nil
}

// What file names may end with: Go's lists.
var (
	systems = strings.Fields("aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd " +
		"plan9 solaris wasip1 windows zos")
	others = strings.Fields("js nacl plan9 wasip1 windows zos") // of the systems, those that are not a unix

	processors = strings.Fields("386 amd64 amd64p32 arm arm64 arm64be armbe loong64 mips mips64 mips64le mips64p32 mips64p32le mipsle " +
		"ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm")
)

// buildTag reports whether the running program was built with a tag.
func buildTag(tag string) bool {
	if tag == runtime.GOOS || tag == runtime.GOARCH || tag == runtime.Compiler {
		return true
	}
	switch tag {
	case "unix":
		return !slices.Contains(others, runtime.GOOS)
	case "linux":
		return runtime.GOOS == "android"
	case "solaris":
		return runtime.GOOS == "illumos"
	case "darwin":
		return runtime.GOOS == "ios"
	}
	if minor, ok := strings.CutPrefix(tag, "go1."); ok {
		n, err := strconv.Atoi(minor)
		return err == nil && n <= goMinor()
	}
	return programTags()[tag]
}

// goMinor is 26 of go1.26.1; of a development version, more than any.
func goMinor() int {
	_, minor, _ := strings.Cut(runtime.Version(), "go1.")
	digits := strings.IndexFunc(minor, func(r rune) bool { return r < '0' || r > '9' })
	if digits < 0 {
		digits = len(minor)
	}
	n, err := strconv.Atoi(minor[:digits])
	if err != nil {
		return 1 << 30
	}
	return n
}

// programTags are the tags that the running program was built with, as it tells itself.
var programTags = sync.OnceValue(func() map[string]bool {
	tags := map[string]bool{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return tags
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "-tags":
			for _, t := range strings.FieldsFunc(s.Value, func(r rune) bool { return r == ',' || r == ' ' }) {
				tags[t] = true
			}
		case "-race", "-msan", "-asan":
			tags[s.Key[1:]] = s.Value == "true"
		case "CGO_ENABLED":
			tags["cgo"] = s.Value == "1"
		case "GOEXPERIMENT":
			for _, t := range strings.Split(s.Value, ",") {
				tags["goexperiment."+t] = true
			}
		case "GOAMD64":
			for v := byte('1'); s.Value > "v" && v <= s.Value[1]; v++ {
				tags["amd64.v"+string(v)] = true
			}
		}
	}
	return tags
})
