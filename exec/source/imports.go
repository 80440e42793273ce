//go:build !tiler_page

package source

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"unicode"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
)

// imports are the packages at some import paths whose source is at hand, as a file imports them.
func imports(file string, paths []string) (list []gofile.Import) {
	for _, path := range paths {
		folder, ok := folderOf(file, path)
		if !ok {
			continue
		}
		if files := packageIn(folder); len(files) > 0 {
			list = append(list, gofile.Import{Path: path, Files: files})
		}
	}
	return list
}

// packageIn is the files that a program's package in a folder is made of.
func packageIn(folder string) (files []gofile.Source) {
	entries, _ := os.ReadDir(folder) // of a folder that cannot be read there are none
	pkg := ""
	for _, e := range entries {
		name := filepath.ToSlash(filepath.Join(folder, e.Name()))
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil || !builtHere(name, string(text)) {
			continue
		}
		if clause, _ := gofile.Declares(string(text)); pkg == "" {
			pkg = clause
		} else if clause != pkg {
			continue
		}
		files = append(files, gofile.Source{Name: name, Text: string(text)})
	}
	return files
}

// folderOf is where the package of an import path is, as a file of a module imports it: in that module, in what it
// vendors, or in a module that the running program is built of.
func folderOf(file, path string) (folder string, ok bool) {
	root, module := moduleOf(file)
	if root == "" {
		return "", false
	}
	if rest, within := below(path, module); within {
		return filepath.Join(root, rest), true
	}
	if folder = filepath.Join(root, "vendor", path); isFolder(folder) {
		return folder, true
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	modules := append([]*debug.Module{&info.Main}, info.Deps...)
	slices.SortFunc(modules, func(x, y *debug.Module) int { return len(y.Path) - len(x.Path) }) // the innermost first
	if module != info.Main.Path {
		root = "" // what replaces a module is said by the program's go.mod, not by this one
	}
	for _, m := range modules {
		if rest, within := below(path, m.Path); within && m.Path != "" {
			at, known := sourceOf(m, root)
			return filepath.Join(at, rest), known
		}
	}
	return "", false
}

// below is the rest of a path within another one.
func below(path, of string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(path, of)
	return strings.TrimPrefix(rest, "/"), ok && (rest == "" || rest[0] == '/')
}

// moduleOf is the folder and the path of the module that a file belongs to.
func moduleOf(file string) (root, path string) {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			return dir, moduleLine(string(text))
		}
		if dir == filepath.Dir(dir) {
			return "", ""
		}
	}
}

// moduleLine is the path that a go.mod declares.
func moduleLine(text string) string {
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "module" {
			return strings.Trim(words[1], "\"`")
		}
	}
	return ""
}

// sourceOf is the folder of a module that the program is built of; root is that of its own module, if known.
func sourceOf(m *debug.Module, root string) (folder string, ok bool) {
	if m.Replace != nil {
		m = m.Replace
	}
	if m.Version == "" || m.Version == "(devel)" {
		if folder = m.Path; !filepath.IsAbs(folder) {
			folder = filepath.Join(root, folder)
		}
		return folder, filepath.IsAbs(folder) && isFolder(folder)
	}
	folder = filepath.Join(moduleCache(), escaped(m.Path)+"@"+escaped(m.Version))
	return folder, isFolder(folder)
}

// moduleCache is where Go keeps modules.
func moduleCache() string {
	if cache := os.Getenv("GOMODCACHE"); cache != "" {
		return cache
	}
	home, _ := os.UserHomeDir() // without one there is no such folder
	path := append(filepath.SplitList(os.Getenv("GOPATH")), filepath.Join(home, "go"))[0]
	return filepath.Join(path, "pkg", "mod")
}

// escaped is a path as the module cache names folders: where systems take X and x for one letter, it has !x.
func escaped(path string) string {
	var z strings.Builder
	for _, r := range path {
		if unicode.IsUpper(r) {
			z.WriteByte('!')
		}
		z.WriteRune(unicode.ToLower(r))
	}
	return z.String()
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
