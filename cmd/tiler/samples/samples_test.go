package samples

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	programs "github.com/tiler-go/tiler/examples"
)

const root = "../../.."

// TestExampleSums: the hashes that examples are written with are those of this module, for the
// versions that it requires.
func TestExampleSums(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	var want string
	for l := range strings.Lines(string(text)) {
		f := strings.Fields(l) // path, version or version/go.mod, hash
		required := f[0] + " " + strings.TrimSuffix(f[1], "/go.mod") + "\n"
		if strings.Contains(programs.Sums, f[0]+" ") && strings.Contains(string(mod), required) {
			want += l
		}
	}
	if want == programs.Sums {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatal("examples/sums.txt is stale: UPDATE=1 go test ./cmd/tiler/samples")
	}
	if err := os.WriteFile(filepath.Join(root, "examples", "sums.txt"), []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestHashOfMod(t *testing.T) {
	// Of github.com/pkg/errors v0.9.1, whose go.mod is absent: the go command makes it up.
	if got := hashOfMod([]byte("module github.com/pkg/errors\n")); got != "h1:bwawxfHBFNV+L2hUp1rHADufV3IMtnDRdf1r5NINEl0=" {
		t.Error(got)
	}
}

func TestReleaseSums(t *testing.T) {
	got := Module{Version: "v1.2.3", Sum: "h1:zip="}.sums([]byte("module m\n"))
	want := "github.com/tiler-go/tiler v1.2.3 h1:zip=\ngithub.com/tiler-go/tiler v1.2.3/go.mod " + hashOfMod([]byte("module m\n")) + "\n"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestModuleFiles(t *testing.T) {
	source, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	mod, sum, note := Module{Source: source}.files("my matmul")
	for _, part := range []string{"module example/my_matmul\n", "require github.com/tiler-go/tiler v0.0.0\n", "replace github.com/tiler-go/tiler => " + quoted(source) + "\n", "golang.org/x/sys v"} {
		if !strings.Contains(mod, part) {
			t.Errorf("no %q in %s", part, mod)
		}
	}
	if sum != programs.Sums || note != "" {
		t.Errorf("%q, %q", sum, note)
	}
}

// TestSamples: everything has a title and files.
func TestSamples(t *testing.T) {
	for _, s := range slices.Concat(Examples(), Tutorials(), compiled()) {
		if s.Title == "" || len(s.paths()) == 0 {
			t.Errorf("%+v", s)
		}
	}
	if len(Examples()) < 9 || len(Tutorials()) != 7 {
		t.Errorf("%d examples, %d tutorials", len(Examples()), len(Tutorials()))
	}
}

// TestCopyTutorials: what somebody has worked in stays.
func TestCopyTutorials(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "books")
	if err := writeNew(dir, map[string]string{"01_vector_addition.ipynb": "mine"}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := CopyTutorials(dir); err != nil {
			t.Fatal(err)
		}
	}
	mine, err := os.ReadFile(filepath.Join(dir, "01_vector_addition.ipynb"))
	entries, _ := os.ReadDir(dir)
	if err != nil || string(mine) != "mine" || len(entries) != len(Tutorials())+1 {
		t.Errorf("%q, %d files, %v", mine, len(entries), err)
	}
}
