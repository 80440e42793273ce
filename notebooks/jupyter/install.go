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
)

// Install builds the tools and tells Jupyter of the kernel, whose cells see the clone,
// and tries it. Everything that is missing is reported at once, before anything is done.
func Install(ctx context.Context, p Place, clone string, log Log) error {
	if runtime.GOOS == "windows" {
		return errors.New("gonb does not run on Windows: install tiler in WSL, the Linux of Windows")
	}
	if err := p.links(); err != nil {
		return err
	}
	g, errGo := FindGo(ctx)
	python, errPython := FindPython(ctx)
	if err := errors.Join(errGo, errPython); err != nil {
		return err
	}
	clone, err := Clone(clone)
	if err != nil {
		return err
	}
	log.row("go", "%s, %s", g.Path, g.Version)
	log.row("jupyter", "%s", python)
	before := cacheSizes(ctx, g)
	state := "as they should be"
	if !p.built(g) {
		if err := p.build(ctx, g, log); err != nil {
			return err
		}
		state = "built"
	}
	log.row("tools", "gonb %s, goimports, gopls in %s: %s", GonbVersion(), p.Bin(), state)
	if err := compileOnce(ctx, g, clone, log); err != nil {
		return err
	}
	log.row("clone", "%s", clone)
	changed, err := p.writeSpec(p.spec(g, clone))
	if err != nil {
		return err
	}
	state = "as it should be"
	if changed {
		state = "written"
	}
	log.row("kernel", "%s in %s: %s", DisplayName, p.Kernel(), state)
	took, err := Try(ctx, p, python)
	if err != nil {
		return err
	}
	log.row("cell", "launched a kernel and drew a picture, in %.1f s", took.Seconds())
	log.row("disk", "%s", p.disk(before, cacheSizes(ctx, g)))
	if p.Prefix {
		log.row("", "Jupyter finds the kernel if JUPYTER_PATH has %s; tiler jupyter run -prefix sets it", p.Share)
	}
	return nil
}

// trial is a cell that uses what the tutorials do: tiler is found, a kernel is launched, a
// picture drawn. Its output is checked.
const trial = `import (
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
nb.Show(x)`

// trialPrints is what the cell prints; besides there is a picture.
const trialPrints = "<nil> tensor([0, 1, 2, 3, 4, 5])"

// Try runs one cell in the place's kernel and says how long it took.
func Try(ctx context.Context, p Place, python Python) (time.Duration, error) {
	dir, err := os.MkdirTemp("", "tiler-cell-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	run, err := Runner{Place: p, Python: python}.Run(ctx, New(trial), dir)
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
		picture = picture || strings.Contains(string(o.Data["text/html"]), "tiler-output")
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
	for _, dir := range []string{p.Kernel(), p.Bin(), filepath.Join(p.Data, stampName)} {
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
