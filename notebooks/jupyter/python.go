package jupyter

import (
	"context"
	"encoding/json"
	"fmt"
	osexec "os/exec"
	"runtime"
	"slices"
	"strings"
)

// Python is an interpreter that can run notebooks.
type Python struct {
	Path    string
	Version map[string]string // of the packages in pythonPackages
}

// pythonPackages is what starting kernels and running notebooks needs.
var pythonPackages = []string{"jupyter_client", "nbclient", "nbformat"}

const probe = `
import importlib, json, sys
found = {}
for name in sys.argv[1:]:
    try:
        found[name] = getattr(importlib.import_module(name), "__version__", "?")
    except Exception:
        pass
print(json.dumps(found))
`

// FindPython looks for a Python that has Jupyter's packages: the one in PATH, then the
// system's, since the first may be another tool's.
func FindPython(ctx context.Context) (Python, error) {
	var seen, tried []string
	for _, name := range []string{"python3", "/usr/bin/python3", "python"} {
		path, err := osexec.LookPath(name)
		if err != nil || slices.Contains(seen, path) {
			continue
		}
		seen = append(seen, path)
		have, err := packages(ctx, path, pythonPackages...)
		if err != nil {
			tried = append(tried, fmt.Sprintf("%s does not run: %v", path, err))
			continue
		}
		lacks := slices.DeleteFunc(slices.Clone(pythonPackages), func(n string) bool { return have[n] != "" })
		if len(lacks) == 0 {
			return Python{path, have}, nil
		}
		tried = append(tried, fmt.Sprintf("%s has no %s", path, strings.Join(lacks, ", ")))
	}
	what := "Jupyter is not installed: there is no Python"
	if len(tried) > 0 {
		what = "Jupyter is not installed: " + strings.Join(tried, "; ")
	}
	return Python{}, &Missing{What: what, Get: getJupyter("jupyter-notebook python3-nbclient")}
}

func getJupyter(debian string) string {
	if runtime.GOOS == "linux" {
		return "apt-get install --no-install-recommends " + debian + " (or: pip install notebook)"
	}
	return "pip install notebook"
}

// packages is the versions of those packages that a Python has.
func packages(ctx context.Context, path string, names ...string) (have map[string]string, err error) {
	out, err := osexec.CommandContext(ctx, path, append([]string{"-c", probe}, names...)...).Output()
	if err != nil {
		return nil, err
	}
	return have, json.Unmarshal(out, &have)
}

// String is the path and what it has.
func (p Python) String() string {
	var parts []string
	for _, n := range pythonPackages {
		parts = append(parts, n+" "+p.Version[n])
	}
	return p.Path + " with " + strings.Join(parts, ", ")
}
