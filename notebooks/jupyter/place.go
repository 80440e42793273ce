package jupyter

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// The kernels' names, as notebooks have them.
const (
	Tiler = "tiler"
	Gonb  = "tiler-gonb"
)

// displayNames is the kernels' names, as people see them.
var displayNames = map[string]string{Tiler: "tiler", Gonb: "tiler (gonb)"}

// Kernels is the kernels' names, the one for beginners first.
func Kernels() []string { return []string{Tiler, Gonb} }

// A Place is where an installation lives.
type Place struct {
	Data   string // share/tiler: tools in bin, and what they were built from
	Share  string // share/jupyter: kernel specifications in kernels
	Prefix bool   // not a folder that Jupyter searches by itself
}

// User is the place for one user. The environment says where, as it does to Jupyter.
func User(getenv func(string) string) (Place, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return Place{}, err
	}
	data := getenv("XDG_DATA_HOME")
	if data == "" {
		data = filepath.Join(home, ".local", "share")
	}
	p := Place{Data: filepath.Join(data, "tiler"), Share: filepath.Join(data, "jupyter")}
	if runtime.GOOS == "darwin" {
		p.Data = filepath.Join(home, "Library", "Application Support", "tiler")
		p.Share = filepath.Join(home, "Library", "Jupyter")
	}
	if dir := getenv("APPDATA"); runtime.GOOS == "windows" && dir != "" {
		p.Data, p.Share = filepath.Join(dir, "tiler"), filepath.Join(dir, "jupyter")
	}
	if dir := getenv("JUPYTER_DATA_DIR"); dir != "" {
		p.Share = dir
	}
	return p, nil
}

// Prefix is the place below a folder such as /usr/local or a Python environment's.
func Prefix(dir string) (Place, error) {
	dir, err := filepath.Abs(dir)
	return Place{
		Data:   filepath.Join(dir, "share", "tiler"),
		Share:  filepath.Join(dir, "share", "jupyter"),
		Prefix: true,
	}, err
}

// Bin is the folder of the tools.
func (p Place) Bin() string { return filepath.Join(p.Data, "bin") }

// Kernel is the folder of a kernel's specification.
func (p Place) Kernel(name string) string { return filepath.Join(p.Share, "kernels", name) }

// links is an error if what an installation writes lies behind a symbolic link: it would
// come to lie elsewhere. Folders above those of its own may be links.
func (p Place) links() error {
	own := []string{p.Data, p.Bin(), filepath.Join(p.Data, stampName)}
	for _, name := range Kernels() {
		own = append(own, p.Kernel(name), filepath.Join(p.Kernel(name), specName))
	}
	for _, name := range append(Tools, "tiler") {
		own = append(own, filepath.Join(p.Bin(), program(name)))
	}
	for _, path := range own {
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			to, _ := os.Readlink(path)
			return fmt.Errorf("%s is a symbolic link to %s, and links are not written through\n\tfix: remove it, and install again", path, to)
		}
	}
	return nil
}

// env is an environment in which Jupyter finds the place's kernel.
func (p Place) env() []string {
	env := os.Environ()
	if !p.Prefix {
		return env
	}
	path := p.Share
	for _, e := range env {
		if old, ok := strings.CutPrefix(e, "JUPYTER_PATH="); ok && old != "" {
			path += string(os.PathListSeparator) + old
		}
	}
	return append(env, "JUPYTER_PATH="+path)
}

// Module is the path of the module whose clone cells see.
const Module = "github.com/tiler-go/tiler"

// Clone is the clone of tiler that dir lies in.
func Clone(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	at := dir
	for {
		text, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err == nil && moduleLine(string(text)) == Module {
			return filepath.EvalSymlinks(at)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		up := filepath.Dir(at)
		if up == at {
			return "", &Missing{What: "there is no clone of tiler around " + dir + ", and cells take it from one", Get: "git clone https://" + Module + " && cd tiler"}
		}
		at = up
	}
}

// moduleLine is the module that the text of a go.mod declares.
func moduleLine(text string) string {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "module" {
			return f[1]
		}
	}
	return ""
}

// Missing is something that has to be installed by other means first.
type Missing struct {
	What string
	Get  string // the command that gets it
}

func (m *Missing) Error() string { return m.What + "\n\tget it with: " + m.Get }
