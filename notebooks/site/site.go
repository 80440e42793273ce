// Package site is the page that teaches: lessons, puzzles and a blank sheet whose cells
// run in the browser. It is static files: the page, what it shows, and the prompt compiled
// to WebAssembly (package play in a worker, by command wasm).
package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/palette"
	"github.com/tiler-go/tiler/tilelang/overwrite"
)

//go:embed page
var page embed.FS

// Program is the name of the compiled prompt among the files.
const Program = "tiler.wasm.gz"

// Files is the files of the page, by name.
type Files map[string][]byte

// New is the files of the page with a program.
func New(b *Built) (Files, error) {
	c, err := newContent()
	if err != nil {
		return nil, err
	}
	files := Files{Program: b.Program, "wasm_exec.js": b.Glue}
	entries, err := fs.ReadDir(page, "page")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if files[e.Name()], err = page.ReadFile("page/" + e.Name()); err != nil {
			return nil, err
		}
	}
	style := strings.NewReplacer("{{light}}", palette.CSS(false), "{{dark}}", palette.CSS(true))
	files["style.css"] = []byte(style.Replace(string(files["style.css"])))
	c.Size = size{int64(len(b.Program)), b.Whole}
	c.Version = files.version()
	if files["content.json"], err = json.Marshal(c); err != nil {
		return nil, err
	}
	c.Version = files.version() // of everything: with it the service worker keeps this page, and no other
	if files["content.json"], err = json.Marshal(c); err != nil {
		return nil, err
	}
	files["sw.js"] = bytes.ReplaceAll(files["sw.js"], []byte("{{version}}"), []byte(c.Version))
	return files, nil
}

// version is short for what the files are.
func (f Files) version() string {
	h := sha256.New()
	for _, name := range f.Names() {
		fmt.Fprintln(h, name, len(f[name]))
		h.Write(f[name])
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// Names is the files' names, sorted.
func (f Files) Names() []string {
	names := make([]string, 0, len(f))
	for name := range f {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Size is how many bytes a browser loads, with what hosts compress compressed.
func (f Files) Size() (n int) {
	for name, text := range f {
		if !strings.HasSuffix(name, ".gz") {
			text = compressed(text)
		}
		n += len(text)
	}
	return n
}

// Write writes the files into a folder, which is made if there is none.
func (f Files) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range f.Names() {
		if err := overwrite.Bytes(filepath.Join(dir, name), 0o644, f[name]); err != nil {
			return err
		}
	}
	return nil
}

// Read is the files that Write wrote into a folder.
func Read(dir string) (Files, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files := Files{}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"index.html", "content.json", Program} {
		if files[name] == nil {
			return nil, fmt.Errorf("%s is no page of tiler's: it has no %s\n\tfix: tiler site %s writes one", dir, name, dir)
		}
	}
	return files, nil
}

func compressed(text []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is one
	}
	_, _ = w.Write(text) // to memory
	_ = w.Close()
	return b.Bytes()
}
