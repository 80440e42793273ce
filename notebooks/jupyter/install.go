package jupyter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/tiler-go/tiler/tilelang/overwrite"
)

// An Installation is what is installed.
type Installation struct {
	Place   Place
	Kernels []string               // their names; nil means all that can be
	Program string                 // the running tiler
	Clone   func() (string, error) // the source of tiler that compiled cells see
	Log     Log
}

// Install tells Jupyter of the kernels, and tries each. Without Go the one that compiles
// cells is left out, unless it was asked for by name.
func Install(ctx context.Context, in Installation) error {
	if err := in.Place.links(); err != nil {
		return err
	}
	all := in.Kernels == nil
	if all {
		in.Kernels = Kernels()
	}
	python, lacking := FindPython(ctx)
	if lacking == nil {
		in.Log.row("jupyter", "%s", python)
	}
	for _, name := range in.Kernels {
		var err error
		if name == Tiler {
			err = in.tiler(ctx, python, lacking)
		} else {
			err = in.gonb(ctx, python, lacking)
		}
		if missing := (*Missing)(nil); all && name != Tiler && errors.As(err, &missing) {
			in.Log.row("gonb", "left out: %v\n\tonly notebooks whose cells are compiled need it", err)
		} else if err != nil {
			return err
		}
	}
	if in.Place.Prefix {
		in.Log.row("", "Jupyter finds the kernels if JUPYTER_PATH has %s; tiler jupyter run -prefix sets it", in.Place.Share)
	}
	return nil
}

// tiler installs the kernel that is this program. A Jupyter that this Python does not have
// may be elsewhere.
func (in Installation) tiler(ctx context.Context, python Python, lacking error) error {
	program, err := in.Place.keep(in.Program)
	if err != nil {
		return err
	}
	if err := in.spec(Tiler, tilerSpec(program)); err != nil {
		return err
	}
	if lacking != nil {
		in.Log.row("cell", "not tried: %v", lacking)
		return nil
	}
	return in.try(ctx, Tiler, python)
}

// gonb installs the kernel that compiles cells.
func (in Installation) gonb(ctx context.Context, python Python, lacking error) error {
	if runtime.GOOS == "windows" {
		return &Missing{What: "gonb does not run on Windows", Get: "wsl --install (and install tiler there, in the Linux of Windows)"}
	}
	g, err := FindGo(ctx)
	if err := errors.Join(err, lacking); err != nil {
		return err
	}
	clone, err := in.Clone()
	if err != nil {
		return err
	}
	in.Log.row("go", "%s, %s", g.Path, g.Version)
	before, state := cacheSizes(ctx, g), "as they should be"
	if !in.Place.built(g) {
		if err := in.Place.build(ctx, g, in.Log); err != nil {
			return err
		}
		state = "built"
	}
	in.Log.row("tools", "gonb %s, goimports, gopls in %s: %s", GonbVersion(), in.Place.Bin(), state)
	if err := compileOnce(ctx, g, clone, in.Log); err != nil {
		return err
	}
	in.Log.row("clone", "%s", clone)
	if err := in.spec(Gonb, in.Place.gonbSpec(g, clone)); err != nil {
		return err
	}
	if err := in.try(ctx, Gonb, python); err != nil {
		return err
	}
	in.Log.row("disk", "%s", in.Place.disk(before, cacheSizes(ctx, g)))
	return nil
}

// spec writes a kernel's specification, and says so.
func (in Installation) spec(name string, s kernelSpec) error {
	changed, err := in.Place.writeSpec(name, s)
	if err != nil {
		return err
	}
	state := "as it should be"
	if changed {
		state = "written"
	}
	in.Log.row("kernel", "%s in %s: %s", s.DisplayName, in.Place.Kernel(name), state)
	return nil
}

func (in Installation) try(ctx context.Context, name string, python Python) error {
	took, err := Try(ctx, in.Place, name, python)
	if err == nil {
		in.Log.row("cell", "launched a kernel and drew a picture, in %.2g s", took.Seconds())
	}
	return err
}

// keep is a program that stays: what go run made is gone when it ends, and copied.
func (p Place) keep(from string) (string, error) {
	if !strings.Contains(filepath.ToSlash(from), "/go-build") {
		return from, nil
	}
	to := filepath.Join(p.Bin(), program("tiler"))
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(p.Bin(), 0o755)
	}
	if err == nil {
		err = overwrite.Bytes(to, 0o755, text)
	}
	return to, err
}

// trials is a cell for each kernel that uses what the tutorials do: tiler is found, a
// kernel is launched, a picture drawn. Its output is checked.
var trials = map[string]string{
	Tiler: `func count(p *tl.Program, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := p.ID(0)*BLOCK + tl.Arange(0, BLOCK)
	tl.Store(out+offs, offs, tl.Mask(offs < n))
}

x := tensor.Zeros(tl.Int32, 6)
fmt.Println(exec.New(count).Launch(exec.Grid{2}, x, 6, 4), x)
x`,
	Gonb: `import (
	"fmt"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/notebooks/nb"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func count(p *tl.Program, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	tl.Store(out.Add(offs), offs, tl.Mask(offs.Lt(n)))
}

%%
x := tensor.Zeros(tl.Int32, 6)
fmt.Println(exec.New(count).Launch(exec.Grid{2}, x, 6, 4), x)
nb.Show(x)`,
}

// trialPrints is what the cell prints; besides there is a picture.
const trialPrints = "<nil> tensor([0, 1, 2, 3, 4, 5])"

// Try runs one cell in a kernel of the place, and says how long it took.
func Try(ctx context.Context, p Place, name string, python Python) (time.Duration, error) {
	dir, err := os.MkdirTemp("", "tiler-cell-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	run, err := Runner{Place: p, Kernel: name, Python: python}.Run(ctx, New(name, trials[name]), dir)
	if err != nil {
		return 0, err
	}
	if err := tried(run.Notebook.Cells[0].Outputs); err != nil {
		return 0, fmt.Errorf("%w\n\t%s", err, strings.ReplaceAll(tail(run.Log, 20), "\n", "\n\t"))
	}
	return time.Duration(run.Cells[0] * float64(time.Second)), nil
}

// tried is what is wrong with the outputs of the trial.
func tried(outputs []Output) error {
	var text strings.Builder
	picture := false
	for _, o := range outputs {
		text.WriteString(string(o.Text) + o.Value)
		picture = picture || strings.Contains(string(o.Data["text/html"]), "tiler")
	}
	got := strings.TrimSpace(text.String())
	if got != trialPrints {
		return fmt.Errorf("the kernel runs, but a cell that should print %s gave\n\t%s", trialPrints, strings.ReplaceAll(got, "\n", "\n\t"))
	}
	if !picture {
		return errors.New("the kernel runs, but a cell that should draw a picture drew none")
	}
	return nil
}

// Uninstall removes what Install made.
func Uninstall(p Place, log io.Writer) error {
	for _, dir := range []string{p.Kernel(Tiler), p.Kernel(Gonb), p.Bin(), filepath.Join(p.Data, stampName)} {
		if _, err := os.Lstat(dir); err != nil {
			fmt.Fprintf(log, "not there  %s\n", dir)
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		fmt.Fprintf(log, "removed    %s\n", dir)
	}
	_ = os.Remove(p.Data) // unless something else is in it
	return nil
}
