package main

import (
	"flag"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestCompletions(t *testing.T) {
	for _, c := range []struct {
		line string // up to the cursor
		want string // lines, without what words are about
	}{
		{"", "-norc run check learn play site trace -e golden replay merge ir asm go bench examples jupyter kernel python-path doctor completion version help"},
		{"l", "learn files_.go"},
		{"che", "check files_.go"},
		{"run ", "files_.go_.py"},
		{"run x.go ", "files"},
		{"x.go ", "files"},
		{"check -", "-json -keep-going -shard -v"},
		{"check -json ", "files_.go_.py"},
		{"check x.go -", "files"},
		{"learn so", "softmax files_.go"},
		{"learn -", "-hint -o -solution"},
		{"learn -o ", "files_.go"},
		{"learn 5 -h", "-hint"},
		{"trace -o ", "files_.html"},
		{"trace -instances ", ""},
		{"golden -engine=portable ", "files_.zip"},
		{"golden -engine po", "portable"},
		{"golden ", "files_.zip"},
		{"bench soft", "softmax"},
		{"bench softmax lay", "layernorm"},
		{"asm -cpu avx5", "avx512"},
		{"examples mat", "matmul"},
		{"examples 01", "01_vector_addition"},
		{"examples matmul -o ", "folders"},
		{"jupyter ", "install run doctor uninstall"},
		{"jupyter install -", "-clone -kernel -prefix -user"},
		{"jupyter install -kernel g", "gonb"},
		{"jupyter install -prefix ", "folders"},
		{"completion ", "bash zsh fish"},
		{"help tr", "trace"},
		{"-e ", ""},
		{"nonsense ", ""},
	} {
		var got []string
		for _, l := range completions(strings.Split(c.line, " ")) {
			text, _, _ := strings.Cut(l, "\t")
			got = append(got, strings.ReplaceAll(text, " ", "_"))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: got %s, want %s", c.line, s, c.want)
		}
	}
}

// TestPlaceholders: what a flag or an argument stands for is something that can be completed,
// or one of the few that cannot.
func TestPlaceholders(t *testing.T) {
	free := []string{"", "N", "N,N", "I/N", "NAME", "REGEXP"}
	check := func(place string) {
		for p := range strings.SplitSeq(place, "|") {
			if !slices.Contains(free, p) && kinds()[p] == nil && p != "COMMAND" && p != "FILE" && p != "DIR" && !strings.HasPrefix(p, "FILE.") {
				t.Errorf("nobody knows what %s is", p)
			}
		}
	}
	all := commands()
	for i := range all {
		c := &all[i]
		for place := range strings.FieldsSeq(c.Places) {
			check(strings.TrimSuffix(place, "..."))
		}
		flags := flag.NewFlagSet(c.Name, flag.ContinueOnError)
		c.Setup(flags)
		flags.VisitAll(func(f *flag.Flag) {
			place, _ := flag.UnquoteUsage(f)
			check(place)
		})
	}
}

// shellTest starts a shell in a folder with a few files, where tiler is this program. It prints
// what the shell offers after each line.
func shellTest(t *testing.T, shell string, args ...string) string {
	t.Helper()
	path, err := osexec.LookPath(shell)
	if err != nil {
		t.Skipf("no %s here", shell)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"main.go", "notes.txt", "two words.go", "sub/x.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "tiler")); runtime.GOOS == "windows" && err != nil {
		t.Skip("a symbolic link needs a privilege here: ", err)
	} else if err != nil { // see TestMain
		t.Fatal(err)
	}
	cmd := osexec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "TERM=dumb")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func TestCompletionBash(t *testing.T) {
	got := shellTest(t, "bash", "--norc", "-c", `eval "$(tiler completion bash)"
offers() {
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
	_tiler 2>/dev/null
	printf '%s;' "${COMPREPLY[@]}"; echo
}
complete -p tiler
offers tiler chec
offers tiler learn att
offers tiler run m
offers tiler run t
offers tiler run s
offers tiler check -
offers tiler golden -engine port
offers tiler jupyter install -clone s
`)
	want := "complete -F _tiler tiler\ncheck;\nattention;\nmain.go;\ntwo words.go;\nsub;\n-json;-keep-going;-shard;-v;\nportable;\nsub;\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestCompletionFish(t *testing.T) {
	got := shellTest(t, "fish", "--no-config", "-c", `tiler completion fish | source
for line in "tiler chec" "tiler learn att" "tiler run ma" "tiler check -" "tiler golden -engine port" "tiler jupyter install -clone s"
	complete -C $line
end`)
	for _, part := range []string{"check\trun a program with every launch", "attention\tFlash attention", "main.go", "-json\tprint one JSON object", "portable", "sub/"} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
	if strings.Contains(got, "notes.txt") {
		t.Errorf("a file of another kind is offered:\n%s", got)
	}
}

// In zsh the completion system needs a terminal; here what it is told is caught.
func TestCompletionZsh(t *testing.T) {
	got := shellTest(t, "zsh", "-f", "-c", `compdef() { print "compdef $@" }
eval "$(tiler completion zsh)"
_describe() { print -l -- $1 ${(P)2} }
_files() { print "_files $@" }
offers() { words=("$@"); CURRENT=$#words; _tiler }
offers tiler chec
offers tiler learn att
offers tiler run ''
offers tiler examples matmul -o ''
offers tiler golden -engine port`)
	for _, part := range []string{"compdef _tiler tiler\n", "tiler\ncheck:run a program with every launch", "attention:Flash attention\n_files -g *.go\n", "_files -/\n", "portable\n"} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
}
