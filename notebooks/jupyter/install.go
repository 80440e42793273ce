package jupyter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Install builds the tools and tells Jupyter of the kernel, whose cells see the clone,
// and tries it. Everything that is missing is reported at once, before anything is done.
func Install(ctx context.Context, p Place, clone string, log io.Writer) error {
	if runtime.GOOS == "windows" {
		return errors.New("gonb does not run on Windows: install tiler in WSL, the Linux of Windows")
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
	row := func(name, format string, args ...any) {
		fmt.Fprintf(log, "%-9s%s\n", name, fmt.Sprintf(format, args...))
	}
	row("go", "%s, %s", g.Path, g.Version)
	row("jupyter", "%s", python)
	state := "as they should be"
	if !p.built(g) {
		if err := p.build(ctx, g, log); err != nil {
			return err
		}
		state = "built"
	}
	row("tools", "gonb %s, goimports, gopls in %s: %s", GonbVersion(), p.Bin(), state)
	if err := compileOnce(ctx, g, clone); err != nil {
		return err
	}
	row("clone", "%s", clone)
	changed, err := p.writeSpec(p.spec(g, clone))
	if err != nil {
		return err
	}
	state = "as it should be"
	if changed {
		state = "written"
	}
	row("kernel", "%s in %s: %s", DisplayName, p.Kernel(), state)
	took, err := Try(ctx, p, python)
	if err != nil {
		return err
	}
	row("cell", "imported tiler, compiled and ran in %.1f s", took.Seconds())
	if p.Prefix {
		row("", "Jupyter finds the kernel if JUPYTER_PATH has %s; tiler jupyter run -prefix sets it", p.Share)
	}
	return nil
}

// compileOnce compiles what cells import, so that the first cell does not wait for it
// and every module is in the cache.
func compileOnce(ctx context.Context, g Go, clone string) error {
	cmd := osexec.CommandContext(ctx, g.Path, "build", "./exec", "./tilelang/tensor", "./notebooks/nb", gonbModule+"/gonbui", gonbModule+"/cache")
	cmd.Dir = clone
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS="+cellFlags)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s does not build: %w\n\t%s", clone, err, strings.ReplaceAll(strings.TrimSpace(string(out)), "\n", "\n\t"))
	}
	return nil
}

// trial is a cell that prints something only if tiler was found and works.
const trial = `import (
	"fmt"

	tl "github.com/tiler-go/tiler/tilelang"
)

%%
fmt.Println(tl.Sum(tl.Arange(0, 10)).Int())`

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
	var shown strings.Builder
	for _, o := range run.Notebook.Cells[0].Outputs {
		shown.WriteString(string(o.Text) + o.Value)
	}
	if got := strings.TrimSpace(shown.String()); got != "45" {
		return 0, fmt.Errorf("the kernel runs, but a cell that should print 45 gave\n\t%s\n\t%s",
			strings.ReplaceAll(got, "\n", "\n\t"), strings.ReplaceAll(tail(run.Log, 20), "\n", "\n\t"))
	}
	return time.Duration(run.Cells[0] * float64(time.Second)), nil
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
