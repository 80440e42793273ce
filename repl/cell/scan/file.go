package scan

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// maxText is how long a source file may be.
const maxText = 16 << 20

// ReadText reads a source file. What is no text, or has no end, is an error.
func ReadText(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return "", fmt.Errorf("%s is a folder", path)
	}
	return TextOf(path, f)
}

// TextOf is ReadText of what has been opened.
func TextOf(name string, r io.Reader) (string, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxText+1))
	switch {
	case err != nil:
		return "", err
	case len(b) > maxText:
		return "", fmt.Errorf("%s is over %d MiB long: that is no source file", name, maxText>>20)
	case bytes.IndexByte(b, 0) >= 0 || !utf8.Valid(b):
		return "", fmt.Errorf("%s is not a text", name)
	case filepath.Ext(name) == ".ipynb":
		return "", fmt.Errorf("%s is a notebook\n\tfix: tiler jupyter run opens it", name)
	}
	return string(b), nil
}

// CommentAbove is the comment that a text ends with.
func CommentAbove(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	first := len(lines)
	for first > 0 && strings.HasPrefix(lines[first-1], "//") {
		first--
	}
	var out []string
	for _, line := range lines[first:] {
		out = append(out, strings.TrimPrefix(strings.TrimPrefix(line, "//"), " "))
	}
	return strings.Join(out, "\n")
}
