package promote

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
)

// A Memory is the directory where promotions are remembered, "" for none.
type Memory string

// MemoryIn is the memory that an option names: a directory, "off", or "" for the user's.
func MemoryIn(option string) Memory {
	switch option {
	case "off":
		return ""
	case "":
		dir, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		return Memory(filepath.Join(dir, "tiler", "promoted"))
	}
	return Memory(option)
}

// Note remembers a name.
func (m Memory) Note(name string) error {
	if err := os.MkdirAll(string(m), 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(string(m), name), nil, 0o666)
}

// Has reports whether a name is remembered.
func (m Memory) Has(name string) bool {
	_, err := os.Stat(filepath.Join(string(m), name))
	return err == nil
}

// HasAny reports whether a name that begins so is remembered.
func (m Memory) HasAny(prefix string) bool {
	list, _ := filepath.Glob(filepath.Join(string(m), prefix+"*"))
	return len(list) > 0
}

// Name is a name for what a kernel was shown to do, by a hash of all that it depends on.
func Name(kernel, kind, facts string) string {
	h := fnv.New128a()
	fmt.Fprintf(h, "%s\n%s", build(), facts)
	return Prefix(kernel) + kind + hex.EncodeToString(h.Sum(nil)[:16])
}

// Prefix begins the names of a kernel.
func Prefix(kernel string) string {
	clean := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, kernel)
	return clean[:min(len(clean), 64)] + "."
}

// build names the build of this package: code that another made is not vouched for.
var build = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	const module = "github.com/tiler-go/tiler"
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path != module {
			continue
		}
		b := m.Version + " " + m.Sum + " " + info.GoVersion
		if m.Replace != nil {
			b += " " + m.Replace.Path + " " + m.Replace.Version
		}
		for _, s := range info.Settings {
			if m == &info.Main && (s.Key == "vcs.revision" || s.Key == "vcs.modified") {
				b += " " + s.Value
			}
		}
		return b
	}
	return "unknown"
})
