package exec

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

// memoryDir is the directory where promotions are remembered, "" for none.
func (k *Kernel) memoryDir() string {
	switch k.opts.Memory {
	case "off":
		return ""
	case "":
		dir, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		return filepath.Join(dir, "tiler", "promoted")
	}
	return k.opts.Memory
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

// memoryName is the file that says that a program was promoted: a hash of what its
// kernel means, for these dtypes and constants, of the engine, and of the build.
func (k *Kernel) memoryName(v *variant, engine string, ordered bool) string {
	h := fnv.New128a()
	fmt.Fprintf(h, "%s\n%s\n%v\n%v\n%s", build(), engine, ordered, v.ones, v.text())
	return k.memoryPrefix() + hex.EncodeToString(h.Sum(nil)[:16])
}

// memoryPrefix begins the names of a kernel's files.
func (k *Kernel) memoryPrefix() string {
	clean := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, k.name)
	return clean[:min(len(clean), 64)] + "."
}

// remember notes for later processes that a program gave the interpreter's bits. It is
// a convenience: that it cannot be written is told to Trace only.
func (k *Kernel) remember(v *variant, p *program) {
	dir := k.memoryDir()
	if dir == "" || k.freed.Load() > 0 { // of ever new variants there would be ever more files
		return
	}
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, k.memoryName(v, p.engine, p.ordered)), nil, 0o666)
	}
	if err != nil {
		k.trace("remembered", 0, "not: %v", err)
	}
}

// recall promotes the kernel if an earlier process did, for these arguments. What it
// has of the kernel's code is tried on samples, as any new specialisation.
func (k *Kernel) recall(args []any) bool {
	dir := k.memoryDir()
	if dir == "" || !k.remembered(dir) {
		return false
	}
	v, err := k.variant(args)
	if err != nil || v.strange.Load() {
		return false
	}
	p, err := k.fastest(v, overlap(args))
	if err != nil {
		return false
	}
	if _, err := os.Stat(filepath.Join(dir, k.memoryName(v, p.engine, p.ordered))); err != nil {
		v.strange.Store(true)
		return false
	}
	k.promoted.Store(true)
	k.trace("remembered", 0, "promoted in an earlier run, on %s", p.engine)
	return true
}

// remembered reports whether there is any file of the kernel, looked up once: most
// kernels are not promoted, and are not to be compiled to find that out.
func (k *Kernel) remembered(dir string) bool {
	k.recallOnce.Do(func() {
		list, _ := filepath.Glob(filepath.Join(dir, k.memoryPrefix()+"*"))
		k.recallable = len(list) > 0
	})
	return k.recallable
}
