package script

import (
	"context"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"regexp"
	"slices"
	"strings"
)

// A Python is one of the machine's.
type Python struct {
	Path  string
	First bool     // it is what python3 on PATH is
	Lacks []string // of the modules that were asked for
}

// ErrNoPython is that the machine has no Python.
var ErrNoPython = errors.New("Python is not installed: scripts need python3 (Debian: apt install python3 python3-numpy), " +
	"or its path in the environment variable TILER_PYTHON")

// candidates are Pythons in the order in which they are tried: what TILER_PYTHON names is the only one.
func candidates() (paths []string) {
	if path := os.Getenv("TILER_PYTHON"); path != "" {
		return []string{path}
	}
	for _, name := range []string{"python3", "/usr/bin/python3", "python"} {
		if path, err := osexec.LookPath(name); err == nil && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// Find is the first Python that has modules, or the first one of all if none has them: a machine may
// have a Python without them before the system's.
func Find(ctx context.Context, modules ...string) (Python, error) {
	var first Python
	for i, path := range candidates() {
		lacks, err := lacking(ctx, path, modules)
		if err != nil {
			continue
		}
		p := Python{path, i == 0, lacks}
		if len(lacks) == 0 {
			return p, nil
		}
		if first.Path == "" {
			first = p
		}
	}
	if first.Path == "" {
		return first, ErrNoPython
	}
	return first, nil
}

const probe = `import importlib.util, sys; print(*[n for n in sys.argv[1:] if importlib.util.find_spec(n) is None])`

// lacking is the modules that a Python does not have.
func lacking(ctx context.Context, path string, modules []string) ([]string, error) {
	if len(modules) == 0 {
		_, err := osexec.LookPath(path)
		return nil, err
	}
	out, err := osexec.CommandContext(ctx, path, append([]string{"-c", probe}, modules...)...).Output()
	return strings.Fields(string(out)), err
}

// Version is what a Python says it is, with the versions of NumPy and PyTorch where it has them.
func (p Python) Version(ctx context.Context) string {
	const ask = `import platform, importlib.metadata as m
def v(n):
    try: return ", " + n + " " + m.version(n)
    except Exception: return ""
print("Python " + platform.python_version() + v("numpy") + v("torch"))`
	out, err := osexec.CommandContext(ctx, p.Path, "-c", ask).Output()
	if err != nil {
		return "it does not run"
	}
	return strings.TrimSpace(string(out))
}

// packages are modules that scripts bring their data in, and how Debian calls them.
var packages = map[string]string{"numpy": "python3-numpy", "torch": "python3-torch"}

var imports = regexp.MustCompile(`(?m)^\s*(?:import|from)\s+(numpy|torch)\b`)

// needs is the modules among packages that a script imports, wherever it does.
func needs(text string) (modules []string) {
	for _, m := range imports.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(modules, m[1]) {
			modules = append(modules, m[1])
		}
	}
	return modules
}

// Advice says how to get what a Python lacks.
func (p Python) Advice() string {
	var debian []string
	for _, m := range p.Lacks {
		debian = append(debian, packages[m])
	}
	return fmt.Sprintf("%s has no %s: install it with apt install %s (Debian's Python is /usr/bin/python3), or %s -m pip install %s",
		p.Path, strings.Join(p.Lacks, " and no "), strings.Join(debian, " "), p.Path, strings.Join(p.Lacks, " "))
}
