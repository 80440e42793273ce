package script

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/tiler-go/tiler/tilelang/overwrite"
)

// python is the package triton.
//
//go:embed all:py
var python embed.FS

// Path is a folder with the package triton, for PYTHONPATH. It is written on the first call, and
// again by a program that has another text; it names this program, which Python starts for itself
// where nobody else has.
func Path() (string, error) { return written() }

var written = sync.OnceValues(func() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the module triton: %w", err)
	}
	files := map[string][]byte{"triton/_program.txt": []byte(program)}
	err = fs.WalkDir(python, "py", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".py" {
			return err
		}
		files[path[len("py/"):]], err = python.ReadFile(path)
		return err
	})
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "tiler", "python", keyOf(files))
	return dir, write(dir, files)
})

// keyOf is a name for files: another one for other texts.
func keyOf(files map[string][]byte) string {
	h := sha256.New()
	fmt.Fprint(h, files) // maps are printed in the order of their keys
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// write makes files in a folder where they are not there yet. Each appears at once and whole, since
// another process may be reading.
func write(dir string, files map[string][]byte) error {
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if have, err := os.ReadFile(path); err == nil && string(have) == string(text) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := overwrite.Bytes(path, 0o644, text); err != nil {
			return err
		}
	}
	return nil
}
