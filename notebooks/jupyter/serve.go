package jupyter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	osexec "os/exec"
	"slices"
)

// Server is a command that shows notebooks in a browser.
type Server struct {
	Name string
	Argv []string
}

// FindServer looks for Jupyter's classic notebook, then for JupyterLab.
func FindServer() (Server, error) {
	for _, name := range []string{"jupyter-notebook", "jupyter-lab"} {
		if path, err := osexec.LookPath(name); err == nil {
			return Server{name, []string{path}}, nil
		}
	}
	return Server{}, &Missing{
		What: "there is no Jupyter that shows notebooks (neither jupyter-notebook nor jupyter-lab is in PATH)",
		Get:  getJupyter("jupyter-notebook"),
	}
}

// Serve starts Jupyter on a folder of notebooks, and returns when it ends. Further
// arguments are Jupyter's.
func Serve(ctx context.Context, p Place, dir string, args []string, in io.Reader, out, log io.Writer) error {
	if _, err := p.readSpec(Tiler); errors.Is(err, fs.ErrNotExist) {
		return &Missing{What: "the kernel is not installed in " + p.Kernel(Tiler), Get: "tiler jupyter install"}
	} else if err != nil {
		return err
	}
	if os.Geteuid() == 0 && !slices.Contains(args, "--allow-root") {
		return errors.New("for root, Jupyter runs only if it is told to: whoever reaches its page is root\n\tfix: run it as another user, or: tiler jupyter run --allow-root")
	}
	s, err := FindServer()
	if err != nil {
		return err
	}
	fmt.Fprintf(log, "%s %s\n", s.Name, dir)
	argv := append(s.Argv, args...)
	cmd := osexec.CommandContext(ctx, argv[0], append(argv[1:], dir)...)
	cmd.Env = p.env()
	cmd.Dir = dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, log
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // Jupyter ends its kernels
	return cmd.Run()
}
