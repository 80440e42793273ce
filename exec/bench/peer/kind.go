package peer

import (
	"embed"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec/cpu"
)

// peerFiles are the programs that peers run.
//
//go:embed peers
var peerFiles embed.FS

// A Kind is a row about one peer: what it is, how to get it.
type Kind struct {
	Name    string
	About   string
	debian  string // packages
	pip     string // packages; "" if there are none
	c       string // file of peers, "" for the Python ones
	libs    []string
	environ func(threads int) []string
}

// Kinds are the peers there are.
var Kinds = []Kind{
	{Name: "openblas", About: "OpenBLAS: matrix products, called from Python", debian: "libopenblas0 python3-numpy", pip: "numpy", environ: openblasEnviron},
	{Name: "numpy", About: "NumPy", debian: "python3-numpy", pip: "numpy", environ: openblasEnviron},
	{Name: "torch", About: "PyTorch on the CPU", debian: "python3-torch", pip: "torch numpy", environ: openblasEnviron},
	{Name: "numba", About: "loops compiled by Numba", debian: "python3-numba", pip: "numba numpy"},
	{Name: "onednn", About: "oneDNN: matrix products of operands in their given layout", debian: "gcc libc6-dev libdnnl-dev", c: "onednn.c", libs: []string{"-ldnnl"}},
	{Name: "gcc", About: "loops compiled by gcc -O3 -march=native", debian: "gcc libc6-dev", c: "gcc.c"},
}

// Named is the kind of a name.
func Named(name string) (Kind, bool) {
	for _, k := range Kinds {
		if k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}

// Install is how to get the peer.
func (k Kind) Install() string {
	s := "apt install " + k.debian
	if k.pip != "" {
		s += "\npip install " + k.pip
	}
	return s
}

// openblasEnviron says which kernels OpenBLAS runs: what it finds out by itself on
// processors that are newer than it depends on accidents, and is half as fast when it is
// wrong. Its threads are to stop waiting for work a fraction of a millisecond after a
// call, not tens of them, so that they are not in the way of the next side.
func openblasEnviron(threads int) []string {
	core := "Haswell"
	if cpu.Best() == cpu.AVX512 {
		core = "SkylakeX"
	}
	return []string{"OPENBLAS_CORETYPE=" + core, fmt.Sprint("OPENBLAS_NUM_THREADS=", threads), "OPENBLAS_THREAD_TIMEOUT=20"}
}

// Environment is that of a peer with so many threads.
func (k Kind) Environment(threads int) []string {
	n := strconv.Itoa(threads)
	env := append(os.Environ(), "OMP_NUM_THREADS="+n, "MKL_NUM_THREADS="+n, "NUMBA_NUM_THREADS="+n, "OMP_DYNAMIC=FALSE", "MKL_DYNAMIC=FALSE", "OPENBLAS_NUM_THREADS="+n)
	if k.environ != nil {
		env = append(env, k.environ(threads)...)
	}
	return env
}

// A Workshop is the folder where peers' programs are written and compiled.
type Workshop struct {
	dir   string
	built map[string]error // of C programs
}

// NewWorkshop writes the programs.
func NewWorkshop() (*Workshop, error) {
	dir, err := os.MkdirTemp("", "tiler-bench-")
	if err != nil {
		return nil, err
	}
	w := &Workshop{dir: dir, built: map[string]error{}}
	files, err := peerFiles.ReadDir("peers")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		text, err := peerFiles.ReadFile("peers/" + f.Name())
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, f.Name()), text, 0o600)
		}
		if err != nil {
			w.Close()
			return nil, err
		}
	}
	return w, nil
}

// Close removes the folder.
func (w *Workshop) Close() { os.RemoveAll(w.dir) }

// Commands are ways to start a peer, to be tried in turn.
func (w *Workshop) Commands(k Kind) ([][]string, error) {
	if k.c != "" {
		program, err := w.compile(k)
		return [][]string{{program}}, err
	}
	var ways [][]string
	seen := map[string]bool{}
	for _, name := range []string{"python3", "python", "/usr/bin/python3"} {
		path, err := osexec.LookPath(name)
		if err == nil && !seen[path] {
			seen[path] = true
			ways = append(ways, []string{path, filepath.Join(w.dir, "peer.py"), k.Name})
		}
	}
	if ways == nil {
		return nil, fmt.Errorf("python3 is not installed")
	}
	return ways, nil
}

// compile makes a program of a C file, once.
func (w *Workshop) compile(k Kind) (program string, err error) {
	program = filepath.Join(w.dir, k.Name)
	if err, ok := w.built[k.Name]; ok {
		return program, err
	}
	defer func() { w.built[k.Name] = err }()
	gcc, err := osexec.LookPath("gcc")
	if err != nil {
		return "", fmt.Errorf("gcc is not installed")
	}
	args := append([]string{"-O3", "-march=native", "-ffast-math", "-fopenmp", "-o", program, filepath.Join(w.dir, k.c)}, k.libs...)
	out, err := osexec.Command(gcc, append(args, "-lm")...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("gcc: %s", firstError(string(out), err))
	}
	return program, nil
}

// firstError is the line of a compiler's or interpreter's output that says what is
// wrong.
func firstError(out string, err error) string {
	last := ""
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, "error:") {
			return line
		}
		if line != "" {
			last = line
		}
	}
	if last == "" {
		return err.Error()
	}
	return last
}
