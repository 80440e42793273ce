package samples

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	programs "github.com/tiler-go/tiler/examples"
)

// modulePath is the path of tiler's module.
const modulePath = "github.com/tiler-go/tiler"

// A Module is the tiler that examples see: a release, or a source tree.
type Module struct {
	Version, Sum string // of a release, and its hash; "" if it is none
	Source       string // the folder of its source
	Missing      error  // why that is not known
}

// files is go.mod and go.sum of a module with examples. The note says what is left to do.
func (m Module) files(name string) (mod, sum, note string) {
	f := strings.Fields(programs.Sums) // path, version, hash, ...
	version, replace := m.Version, ""
	if version == "" {
		version = "v0.0.0"
		if m.Missing == nil {
			replace = fmt.Sprintf("\nreplace %s => %s\n", modulePath, quoted(m.Source))
		} else {
			note = fmt.Sprintf("go.mod does not say which version of tiler it takes: %v\n\tfix: go get %s@latest in the folder", m.Missing, modulePath)
		}
	}
	mod = fmt.Sprintf("module %s\n\ngo 1.26.0\n\nrequire %s %s\n\nrequire %s %s // indirect\n%s", moduleName(name), modulePath, version, f[0], f[1], replace)
	sum = programs.Sums
	if text, err := os.ReadFile(filepath.Join(m.Source, "go.mod")); m.Version != "" && err == nil {
		sum = m.sums(text) + sum
	}
	return mod, sum, note
}

// sums is the lines of go.sum for a release with this go.mod.
func (m Module) sums(mod []byte) string {
	id := modulePath + " " + m.Version
	return id + " " + m.Sum + "\n" + id + "/go.mod " + hashOfMod(mod) + "\n"
}

// moduleName is a folder's name as a module's path.
func moduleName(dir string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, dir)
	return "example/" + name
}

// quoted is a path as go.mod has it: as it is, or as a string if it has spaces.
func quoted(path string) string {
	path = filepath.ToSlash(path)
	if strings.ContainsAny(path, " \t\"'`(),") {
		return fmt.Sprintf("%q", path)
	}
	return path
}

// hashOfMod is the hash of a module's go.mod in go.sum: of a list of the one file.
func hashOfMod(text []byte) string {
	list := sha256.Sum256(fmt.Appendf(nil, "%x  go.mod\n", sha256.Sum256(text)))
	return "h1:" + base64.StdEncoding.EncodeToString(list[:])
}
