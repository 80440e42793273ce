package main

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	programs "github.com/tiler-go/tiler/examples"
	"github.com/tiler-go/tiler/notebooks"
	"github.com/tiler-go/tiler/notebooks/jupyter"
	"github.com/tiler-go/tiler/repl/learn/puzzles"
)

// A sample is something to learn from that is in this program.
type sample struct {
	name, title string
	files       fs.FS  // nil of a puzzle
	dir         string // of files; "" of a notebook, which is one file
}

// exampleSamples is the example programs.
func exampleSamples() (list []sample) {
	entries, _ := fs.ReadDir(programs.Files, ".") // of memory
	for _, d := range entries {
		list = append(list, sample{d.Name(), synopsis(d.Name()), programs.Files, d.Name()})
	}
	return list
}

// synopsis is the first sentence of an example's comment up to its first colon, without the
// command's name.
func synopsis(name string) string {
	text, _ := programs.Files.ReadFile(name + "/main.go")
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return ""
	}
	says := strings.TrimPrefix(new(doc.Package).Synopsis(file.Doc.Text()), "Command "+name+" ")
	says, _, _ = strings.Cut(says, ": ")
	return strings.TrimSuffix(says, ".")
}

// tutorialSamples is the notebooks.
func tutorialSamples() (list []sample) { return notebookSamples("*.ipynb") }

// compiledSamples is the notebooks whose cells gonb compiles.
func compiledSamples() (list []sample) { return notebookSamples("gonb/*.ipynb") }

func notebookSamples(pattern string) (list []sample) {
	names, _ := fs.Glob(notebooks.Files, pattern)
	for _, file := range names {
		text, _ := notebooks.Files.ReadFile(file)
		title := ""
		if nb, err := jupyter.Parse(text); err == nil && len(nb.Cells) > 0 {
			title, _, _ = strings.Cut(strings.TrimPrefix(nb.Cells[0].Source, "# "), "\n")
		}
		list = append(list, sample{strings.TrimSuffix(file, ".ipynb"), title, notebooks.Files, ""})
	}
	return list
}

// paths is the sample's files.
func (s sample) paths() []string {
	if s.dir == "" {
		return []string{s.name + ".ipynb"}
	}
	names, _ := fs.Glob(s.files, s.dir+"/*")
	return names
}

func setupExamples(flags *flag.FlagSet) cli.Action {
	dir := flags.String("o", "", "write them into the folder `DIR`, which is made if it is not there")
	return func(e cli.Env, args []string) int {
		err := error(nil)
		switch {
		case len(args) == 0 && *dir == "":
			listSamples(e)
		case *dir == "":
			err = printSamples(e, args)
		default:
			err = writeSamples(e, *dir, args)
		}
		if err != nil {
			return e.Fail(err)
		}
		return 0
	}
}

func listSamples(e cli.Env) {
	kernels := []sample{}
	for _, p := range puzzles.Course.Puzzles {
		kernels = append(kernels, sample{name: p.Name, title: p.Title})
	}
	for _, group := range []struct {
		head string
		list []sample
	}{
		{"examples: programs with a test each; tiler examples NAME -o DIR writes one", exampleSamples()},
		{"tutorials: notebooks for Jupyter; tiler jupyter run opens them; gonb/NAME is the one of compiled cells", tutorialSamples()},
		{"puzzles: tiler learn NAME opens one", kernels},
	} {
		fmt.Fprintln(e.Out, group.head)
		for _, s := range group.list {
			cli.Entry(e.Out, s.name, 20, s.title)
		}
	}
}

// chosen is the samples of the names; all examples if there are none.
func chosen(names []string) (list []sample, err error) {
	all := slices.Concat(exampleSamples(), tutorialSamples(), compiledSamples())
	if len(names) == 0 {
		return exampleSamples(), nil
	}
	var there []string
	for _, s := range all {
		there = append(there, s.name)
	}
	for _, name := range names {
		name = strings.TrimSuffix(name, ".ipynb")
		i := slices.Index(there, name)
		if p, err := puzzles.Course.Named(name); i < 0 && err == nil {
			return nil, fmt.Errorf("%s is a puzzle\n\tfix: tiler learn -o %s.go %[1]s writes it into a file", p.Name, p.Name)
		}
		if i < 0 {
			return nil, fmt.Errorf("there is no example %s%s\n\tfix: tiler examples lists them", name, cli.DidYouMean(name, there, ""))
		}
		list = append(list, all[i])
	}
	return list, nil
}

// printSamples prints the programs of examples.
func printSamples(e cli.Env, names []string) error {
	list, err := chosen(names)
	if err != nil {
		return err
	}
	for _, s := range list {
		if s.dir == "" {
			return fmt.Errorf("%s is a notebook\n\tfix: say where to write it: tiler examples %[1]s -o DIR", s.name)
		}
		text, err := fs.ReadFile(s.files, s.dir+"/main.go")
		if err != nil {
			return err
		}
		fmt.Fprintf(e.Out, "%s", text)
	}
	return nil
}

// writeSamples writes samples into a folder: a single example there itself, several in folders
// of their own. Nothing is written if one of the files is there already.
func writeSamples(e cli.Env, dir string, names []string) error {
	list, err := chosen(names)
	if err != nil {
		return err
	}
	texts := map[string]string{}
	modules := 0
	for _, s := range list {
		for _, p := range s.paths() {
			text, err := fs.ReadFile(s.files, p)
			if err != nil {
				return err
			}
			if len(list) == 1 {
				p = path.Base(p)
			}
			texts[p] = string(text)
		}
		if s.dir != "" {
			modules++
		}
	}
	note := ""
	if modules > 0 {
		texts["go.mod"], texts["go.sum"], note = moduleFiles(filepath.Base(absolute(dir)))
	}
	if err := writeNew(dir, texts); err != nil {
		return err
	}
	fmt.Fprintf(e.Err, "tiler: wrote %s into %s\n", count(len(texts), "file", "files"), dir)
	if note != "" {
		fmt.Fprintln(e.Err, "tiler:", note)
	}
	main := filepath.Join(dir, "main.go")
	if len(list) > 1 {
		main = filepath.Join(dir, list[0].name, "main.go")
	}
	if modules > 0 {
		fmt.Fprintf(e.Err, "\ttiler run %s\n\tcd %s && go run %s && go test ./...\n", main, dir, relative(dir, filepath.Dir(main)))
	}
	return nil
}

func absolute(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

// relative is a folder below dir as the go command wants it.
func relative(dir, below string) string {
	rel, err := filepath.Rel(dir, below)
	if err != nil || rel == "." {
		return "."
	}
	return "./" + filepath.ToSlash(rel)
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

// moduleFiles is go.mod and go.sum of a module with examples, which see the tiler that this
// program is: its release, or the source tree that it was built in. The note says what is left
// to do.
func moduleFiles(name string) (mod, sum, note string) {
	b := thisBuild()
	source, err := sourceFolder()
	f := strings.Fields(programs.Sums) // path, version, hash, ...
	version, replace := b.version, ""
	if version == "" {
		version = "v0.0.0"
		if err == nil {
			replace = fmt.Sprintf("\nreplace %s => %s\n", modulePath, quoted(source))
		} else {
			note = fmt.Sprintf("go.mod does not say which version of tiler it takes: %v\n\tfix: go get %s@latest in the folder", err, modulePath)
		}
	}
	mod = fmt.Sprintf("module %s\n\ngo 1.26.0\n\nrequire %s %s\n\nrequire %s %s // indirect\n%s", moduleName(name), modulePath, version, f[0], f[1], replace)
	sum = programs.Sums
	if text, err := os.ReadFile(filepath.Join(source, "go.mod")); b.version != "" && err == nil {
		sum = releaseSums(b, text) + sum
	}
	return mod, sum, note
}

// releaseSums is the lines of go.sum for a release of tiler with this go.mod.
func releaseSums(b build, mod []byte) string {
	id := modulePath + " " + b.version
	return id + " " + b.sum + "\n" + id + "/go.mod " + hashOfMod(mod) + "\n"
}

// moduleName is a folder's name as a module's path.
func moduleName(dir string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, dir)
	return "example/" + name
}

// quoted is a path as go.mod has it: as it is, or as a string if it has spaces.
func quoted(path string) string {
	path = filepath.ToSlash(path)
	if strings.ContainsAny(path, " \t\"'`(),") {
		return fmt.Sprintf("%q", path)
	}
	return path
}

// hashOfMod is the hash of a module's go.mod in go.sum: of a list of the one file.
func hashOfMod(text []byte) string {
	list := sha256.Sum256(fmt.Appendf(nil, "%x  go.mod\n", sha256.Sum256(text)))
	return "h1:" + base64.StdEncoding.EncodeToString(list[:])
}
