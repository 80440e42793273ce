package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/cmd/tiler/samples"
	"github.com/tiler-go/tiler/exec/cpu"
)

// A build is what this program was made from.
type build struct {
	version  string // of a release; "" if it was built from a source tree
	sum      string // hash of a release
	commit   string // of a source tree; "" if it is not known
	modified bool   // the tree had changes besides
}

func thisBuild() (b build) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Sum != "" { // go install of a version, which has a hash
		b.version, b.sum = info.Main.Version, info.Main.Sum
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.commit = s.Value
		case "vcs.modified":
			b.modified = s.Value == "true"
		}
	}
	return b
}

func (b build) String() string {
	switch {
	case b.version != "":
		return b.version
	case b.commit == "":
		return "devel"
	case b.modified:
		return fmt.Sprintf("devel, of commit %.12s with changes", b.commit)
	}
	return fmt.Sprintf("devel, of commit %.12s", b.commit)
}

func runVersion(e cli.Env, args []string) int {
	if len(args) > 0 {
		return e.Usage()
	}
	fmt.Fprintf(e.Out, "tiler %v\n%s, %s/%s, %v\n", thisBuild(), runtime.Version(), runtime.GOOS, runtime.GOARCH, cpu.Best())
	if source, err := sourceFolder(); err == nil {
		fmt.Fprintln(e.Out, "built in", source)
	}
	return 0
}

// thisModule is the tiler that this program is.
func thisModule() samples.Module {
	b := thisBuild()
	source, err := sourceFolder()
	return samples.Module{Version: b.version, Sum: b.sum, Source: source, Missing: err}
}

// sourceFolder is the folder that this program's source lies in: a clone, or the release in
// Go's module cache.
func sourceFolder() (string, error) {
	_, file, _, _ := runtime.Caller(0)
	dir := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	if !filepath.IsAbs(file) {
		return "", errors.New("this program does not know where that is (it was built with -trimpath)")
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		return "", fmt.Errorf("%s, from which this program was built, is gone", dir)
	}
	return dir, nil
}
