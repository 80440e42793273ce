package promote

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
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

// kept is how many names a memory keeps of a kernel: each build of a program, each specialisation and each processor
// has its own.
const kept = 64

// A Name is what a kernel was shown to do: a hash of all that this depends on, in a directory of the kernel's.
type Name struct{ kernel, hash string }

// NameOf is the name of what these facts say of a kernel.
func NameOf(kernel, facts string) Name {
	h := fnv.New128a()
	fmt.Fprintf(h, "%s\n%s", build(), facts)
	return Name{kernel, hex.EncodeToString(h.Sum(nil))}
}

// Note remembers a name, and forgets those of the kernel that were noted first.
func (m Memory) Note(n Name) error {
	dir := m.dir(n.kernel)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	forgetOldest(dir, kept-1)
	return os.WriteFile(filepath.Join(dir, n.hash), nil, 0o666)
}

// Has reports whether a name is remembered.
func (m Memory) Has(n Name) bool {
	_, err := os.Stat(filepath.Join(m.dir(n.kernel), n.hash))
	return err == nil
}

// HasAny reports whether anything is remembered of a kernel. It costs the same however much is remembered of others.
func (m Memory) HasAny(kernel string) bool {
	_, err := os.Stat(m.dir(kernel))
	return err == nil
}

// dir is the directory of a kernel. Kernels whose names differ only in what file names do not hold share one.
func (m Memory) dir(kernel string) string { return filepath.Join(string(m), fileName(kernel)) }

// File is a file name for what is known under a name, of a kind.
func (n Name) File(kind string) string { return fileName(n.kernel) + "." + kind + "." + n.hash }

// fileName is the name of a kernel of letters that every file system takes.
func fileName(kernel string) string {
	clean := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, kernel)
	return clean[:min(len(clean), 64)]
}

// forgetOldest leaves the newest n files of a directory. Other processes may do so at the same time.
func forgetOldest(dir string, n int) {
	entries, _ := os.ReadDir(dir)
	if len(entries) <= n {
		return
	}
	age := func(e os.DirEntry) int64 {
		info, err := e.Info()
		if err != nil {
			return math.MaxInt64
		}
		return -info.ModTime().UnixNano()
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return cmp.Compare(age(a), age(b)) })
	for _, e := range entries[n:] {
		_ = os.Remove(filepath.Join(dir, e.Name()))
	}
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
