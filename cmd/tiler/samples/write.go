package samples

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Write writes samples into a folder: a single example there itself, several in folders of
// their own. Nothing is written if one of the files is there already. n is how many files are
// written; the note says what is left to do.
func Write(dir string, list []Sample, tiler Module) (n int, note string, err error) {
	texts := map[string]string{}
	for _, s := range list {
		for _, p := range s.paths() {
			text, err := fs.ReadFile(s.files, p)
			if err != nil {
				return 0, "", err
			}
			if len(list) == 1 {
				p = path.Base(p)
			}
			texts[p] = string(text)
		}
	}
	if slices.ContainsFunc(list, Sample.IsProgram) {
		texts["go.mod"], texts["go.sum"], note = tiler.files(filepath.Base(absolute(dir)))
	}
	return len(texts), note, writeNew(dir, texts)
}

// CopyTutorials writes those tutorials into a folder that are not there.
func CopyTutorials(dir string) error {
	for _, s := range slices.Concat(Tutorials(), compiled()) {
		name := s.Name + ".ipynb"
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			continue // somebody may have worked in it
		}
		text, err := fs.ReadFile(s.files, name)
		if err != nil {
			return err
		}
		if err := writeNew(dir, map[string]string{name: string(text)}); err != nil {
			return err
		}
	}
	return nil
}

func absolute(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

// writeNew writes files below a folder, none of which may be there.
func writeNew(dir string, texts map[string]string) error {
	var names, there []string
	for name := range texts {
		names = append(names, name)
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			there = append(there, name)
		}
	}
	slices.Sort(names)
	if len(there) > 0 {
		slices.Sort(there)
		return fmt.Errorf("%s has %s already, and nothing is overwritten\n\tfix: choose another folder", dir, strings.Join(there, ", "))
	}
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		_, err = file.WriteString(texts[name])
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	return nil
}
