//go:build unix

package site_test

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tiler-go/tiler/notebooks/jupyter"
)

// A classic is a Jupyter Notebook that shows copies of the committed notebooks.
type classic struct {
	home  string
	names []string
}

// newClassic starts one, which knows nothing of this machine's settings. Of the two copies of
// each notebook, the one in the folder trusted is signed.
func newClassic(t *testing.T) classic {
	t.Helper()
	python, err := jupyter.FindPython(t.Context())
	if _, missing := exec.LookPath("jupyter-notebook"); err != nil || missing != nil {
		t.Skipf("no classic Notebook here (Debian: jupyter-notebook): %v %v", err, missing)
	}
	dir := t.TempDir()
	env := append(os.Environ(), "HOME="+dir, "JUPYTER_CONFIG_DIR="+dir+"/config", "JUPYTER_DATA_DIR="+dir+"/data",
		"JUPYTER_RUNTIME_DIR="+dir+"/run", "JUPYTER_PATH="+dir+"/share/jupyter", "IPYTHONDIR="+dir+"/ipython")
	run := func(name string, args ...string) {
		c := exec.Command(name, args...)
		c.Env = env
		if name == "go" {
			c.Env = nil // whose caches are at home
		}
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
	}
	run("go", "build", "-o", dir+"/tiler", "../../cmd/tiler")
	run(dir+"/tiler", "jupyter", "install", "-kernel", "tiler", "-prefix", dir)
	c := classic{}
	books, err := filepath.Glob("../*.ipynb")
	if err != nil || len(books) == 0 {
		t.Fatal(err, books)
	}
	for _, book := range books {
		name := filepath.Base(book)
		c.names = append(c.names, name)
		text, err := os.ReadFile(book)
		if err != nil {
			t.Fatal(err)
		}
		for folder, text := range map[string][]byte{"trusted": text, "untrusted": other(t, text)} {
			path := filepath.Join(dir, "books", folder, name)
			if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
				err = os.WriteFile(path, text, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		run(python.Path, "-m", "nbformat.sign", filepath.Join(dir, "books", "trusted", name))
	}
	c.home = served(t, dir+"/books", env)
	return c
}

// other is a copy of a notebook that looks the same, and is not what was signed.
func other(t *testing.T, text []byte) []byte {
	t.Helper()
	var book map[string]any
	if err := json.Unmarshal(text, &book); err != nil {
		t.Fatal(err)
	}
	book["metadata"].(map[string]any)["copy"] = true
	text, err := json.Marshal(book)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// served starts the server, and is its address.
func served(t *testing.T, dir string, env []string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	server := exec.Command("jupyter-notebook", "--no-browser", "--allow-root", "--ip=127.0.0.1",
		fmt.Sprint("--port=", port), "--notebook-dir="+dir,
		"--NotebookApp.token=", "--NotebookApp.password=")
	server.Env = env
	server.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that kernels end with it
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-server.Process.Pid, syscall.SIGTERM)
		time.AfterFunc(5*time.Second, func() { syscall.Kill(-server.Process.Pid, syscall.SIGKILL) })
		server.Wait()
	})
	home := fmt.Sprintf("http://127.0.0.1:%d/", port)
	for range 600 {
		if r, err := http.Get(home + "api"); err == nil {
			io.Copy(io.Discard, r.Body)
			r.Body.Close()
			return home
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("Jupyter does not answer")
	return ""
}

// whole lets the page be as high as its notebook, without menus, and with the grounds that a
// dark theme has, since the classic Notebook has none of its own.
//
//go:embed testdata/whole.js
var whole string

// bare takes from outputs what the strictest hosts take: styles, classes, colours, images.
//
//go:embed testdata/bare.js
var bare string

// TestClassic shows every notebook in the classic Notebook: trusted, not trusted, and bare;
// light and dark; 800 and 1280 pixels wide. No picture is wider than its place, and texts of
// outputs have enough contrast. Pictures go into the folder TILER_SHOTS, to be looked at.
func TestClassic(t *testing.T) {
	dir := os.Getenv("TILER_SHOTS")
	if dir == "" {
		t.Skip("TILER_SHOTS names no folder for screenshots")
	}
	c, b := newClassic(t), newBrowser(t)
	for _, name := range c.names {
		for _, state := range []string{"trusted", "untrusted", "bare"} {
			folder := state
			if state == "bare" {
				folder = "untrusted"
			}
			b.eval("onbeforeunload = null", nil) // which asks whether to leave
			b.do("Page.navigate", map[string]any{"url": c.home + "notebooks/" + folder + "/" + name})
			b.until(name, "location.pathname.endsWith('"+folder+"/"+name+"') && window.Jupyter?.notebook?._fully_loaded && "+
				"document.querySelector('.output_subarea')")
			trusted := false
			if b.eval("Jupyter.notebook.trusted", &trusted); trusted != (state == "trusted") {
				t.Errorf("%s is trusted: %v", state, trusted)
			}
			b.eval(whole, nil)
			if state == "bare" {
				b.eval(bare, nil)
			}
			c.look(t, b, filepath.Join(dir, fmt.Sprintf("classic-%s-%s", strings.TrimSuffix(name, ".ipynb"), state)))
		}
	}
}

// legible is the contrast of a text that one ink has on light and dark pages, since a notebook
// that is not trusted cannot ask which it is on: 4.5 on both is more than there is.
const legible = 3.5

// wider is the outputs that are wider than their place.
//
//go:embed testdata/wider.js
var wider string

// look measures what is shown, and writes pictures of it.
func (classic) look(t *testing.T, b *browser, name string) {
	t.Helper()
	for _, width := range []int{800, 1280} {
		for _, dark := range []bool{false, true} {
			as := fmt.Sprintf("%s-%d-%v", name, width, map[bool]string{true: "dark", false: "light"}[dark])
			b.screenshot(as+".png", width, dark)
			var wide []string
			b.eval(wider, &wide)
			for _, w := range wide {
				t.Errorf("%s: an output is wider than its place, %s", filepath.Base(as), w)
			}
			var worst struct {
				Ratio float64
				Text  string
			}
			const all, outputs = "n.parentElement;", "n.parentElement; if (!e.closest('.output_subarea')) continue;"
			b.eval(strings.Replace(measured, all, outputs, 1), &worst)
			t.Logf("%s: contrast of at least %.1f:1, at %q", filepath.Base(as), worst.Ratio, worst.Text)
			if worst.Ratio < legible {
				t.Errorf("%s: %q has a contrast of %.2f:1", filepath.Base(as), worst.Text, worst.Ratio)
			}
		}
	}
}
