package site_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/tiler-go/tiler/notebooks/site"
)

// idle is that no cell runs or waits to.
const idle = "document.body.dataset.idle && !document.querySelector('.running') && document.getElementById('status').textContent === ''"

var built = sync.OnceValues(func() (*site.Built, error) {
	return site.Build(context.Background(), func(string) {})
})

// build is the page with its program.
func build(t *testing.T) site.Files {
	t.Helper()
	if os.Getenv("TILER_LONG") == "" {
		t.Skip("the program of the page is large: TILER_LONG=1 builds and tries it")
	}
	b, err := built()
	if errors.Is(err, site.ErrNoGo) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	files, err := site.New(b)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// lessonsOf is the lessons' names.
func lessonsOf(t *testing.T, files site.Files) (names []string) {
	t.Helper()
	var c struct{ Lessons []struct{ Slug string } }
	if err := json.Unmarshal(files["content.json"], &c); err != nil {
		t.Fatal(err)
	}
	for _, l := range c.Lessons {
		names = append(names, l.Slug)
	}
	return names
}

// fake is the page with a program that is none.
func fake(t *testing.T) site.Files {
	t.Helper()
	files, err := site.New(&site.Built{Program: []byte("program"), Whole: 7, Glue: []byte("glue")})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestFiles: what is written into a folder can be served from there, and the service
// worker keeps all of it.
func TestFiles(t *testing.T) {
	files, dir := fake(t), t.TempDir()
	if err := files.Write(dir); err != nil {
		t.Fatal(err)
	}
	again, err := site.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files.Names() {
		if !bytes.Equal(files[name], again[name]) {
			t.Errorf("%s is not what was written", name)
		}
		if worker := string(files["sw.js"]); name != "sw.js" && name != "index.html" && !strings.Contains(worker, "'"+name) {
			t.Errorf("the service worker does not keep %s", name)
		}
	}
	if _, err := site.Read(t.TempDir()); err == nil || !strings.Contains(err.Error(), "tiler site") {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestHandler: a page elsewhere whose name is made to mean this machine gets nothing.
func TestHandler(t *testing.T) {
	h := fake(t).Handler()
	for _, c := range []struct {
		url  string
		code int
	}{
		{"http://127.0.0.1:7411/", 200}, {"http://localhost:7411/app.js", 200}, {"http://127.0.0.1:7411/missing", 404},
		{"http://127.0.0.1:7411/../../etc/passwd", 404}, {"http://evil.example:7411/", 403},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", c.url, nil))
		if w.Code != c.code {
			t.Errorf("%s: %d, want %d", c.url, w.Code, c.code)
		}
		if w.Code == 200 && (w.Header().Get("Content-Security-Policy") != site.Policy || w.Header().Get("Content-Type") == "") {
			t.Errorf("%s: headers %v", c.url, w.Header())
		}
	}
}

// TestPolicy: the page says the same as the server, where another serves it.
func TestPolicy(t *testing.T) {
	own, _, _ := strings.Cut(site.Policy, "; frame-ancestors") // has no effect in a page
	if !strings.Contains(string(fake(t)["index.html"]), `content="`+own+`"`) {
		t.Errorf("index.html does not say %s", own)
	}
}

// TestLessons: each has cells, and every kernel that is to be written is a puzzle.
func TestLessons(t *testing.T) {
	var c struct {
		Lessons []struct {
			Title string
			Parts []struct {
				Code   *string
				Puzzle string
			}
		}
		Puzzles map[string]struct{ Skeleton, Launch string }
		Order   []string
	}
	if err := json.Unmarshal(fake(t)["content.json"], &c); err != nil {
		t.Fatal(err)
	}
	if len(c.Lessons) < 2 || len(c.Order) != 16 {
		t.Errorf("%d lessons, %d puzzles", len(c.Lessons), len(c.Order))
	}
	for _, l := range c.Lessons {
		cells := 0
		for _, p := range l.Parts {
			if p.Code != nil || p.Puzzle != "" {
				cells++
			}
			if _, ok := c.Puzzles[p.Puzzle]; p.Puzzle != "" && !ok {
				t.Errorf("%s: there is no kernel %s to write", l.Title, p.Puzzle)
			}
		}
		if cells == 0 {
			t.Errorf("%s has no cells", l.Title)
		}
	}
	for _, name := range c.Order {
		if p := c.Puzzles[name]; !strings.HasPrefix(p.Skeleton, "func "+name+"(") || p.Launch == "" {
			t.Errorf("%s: %+v", name, p)
		}
	}
}
