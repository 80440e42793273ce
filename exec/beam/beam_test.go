package tilerbeam

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/tiler-go/tiler/exec/beam/cut"
	"github.com/tiler-go/tiler/exec/beam/files"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func TestMain(m *testing.M) {
	if IsChild() {
		os.Exit(Child(os.Stdin, os.Stdout))
	}
	flag.Parse()
	beam.Init()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	beamlog.SetLogger(silent{})
	os.Exit(m.Run())
}

type silent struct{}

func (silent) Log(context.Context, beamlog.Severity, int, string) {}

const kernels = "cut/testdata/kernels.go"

// runJob runs a job to its end with Prism; during, if it is not nil, is called meanwhile.
func runJob(t *testing.T, ctx context.Context, s Spec, during func(*Watch)) error {
	t.Helper()
	j, err := s.Job(ctx)
	if err != nil {
		return err
	}
	pieces, _, err := j.Complete()
	if err == nil {
		err = j.Begin(ctx)
	}
	if err != nil {
		return err
	}
	w, end := WatchJob(ctx, j)
	defer end()
	p := beam.NewPipeline()
	if _, err := Run(p.Root(), j, pieces); err != nil {
		t.Fatal(err)
	}
	if during != nil {
		go during(w)
	}
	err = beamx.Run(context.Background(), p)
	if (err == nil) != w.Complete() || (err != nil) != (w.Err() != nil) {
		t.Errorf("the job's error is %v, what is known here %v, complete %v", err, w.Err(), w.Complete())
	}
	if err != nil {
		return errors.Join(w.Err(), j.Abandon(context.Background(), pieces))
	}
	return nil
}

// read is the bytes of a tensor's elements in a file of any file system.
func read(t *testing.T, path, as string) []byte {
	t.Helper()
	s, err := files.Open(t.Context(), path, as)
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, s.Tensor.Len()*s.Tensor.Type().Size())
	if err := s.Read(t.Context(), whole(s.Tensor.Len()), b); err != nil {
		t.Fatal(err)
	}
	return b
}

func save(t *testing.T, path string, x *tensor.Tensor) string {
	t.Helper()
	if err := tensor.SaveNpy(path, x); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestJobs: whatever the formats, file systems, pieces and processes, a job leaves the same elements.
func TestJobs(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	x, w := tensor.Randn(1, tl.Float32, 61, 300), tensor.Randn(2, tl.Float32, 300)
	save(t, in("x.npy"), x)
	save(t, in("w.npy"), w)
	if err := tensor.SaveNpz(in("xw.npz"), map[string]*tensor.Tensor{"x": x, "w": w}); err != nil {
		t.Fatal(err)
	}
	spec := func(memory, workers int, x, w, y, means string) Spec {
		return Spec{File: kernels + ":layernorm", Grid: "61", Memory: memory, Workers: workers, Check: workers == 0,
			Args: []string{x, w, "b=" + w, "cols=300", "eps=1e-5", "BLOCK=512"}, Outputs: []string{"y=" + y, "means=" + means}}
	}
	one := spec(1<<30, 0, in("x.npy"), in("w.npy"), in("y.npy"), in("means.npy:f32[61]"))
	if err := runJob(t, t.Context(), one, nil); err != nil {
		t.Fatal(err)
	}
	y, means := read(t, in("y.npy"), ""), read(t, in("means.npy"), "")
	for _, c := range []struct {
		name           string
		workers        int
		x, w, y, means string
	}{
		{"pieces", 0, in("x.npy"), in("w.npy"), in("y1.npy"), in("means1.npy")},
		{"npz", 0, in("xw.npz#x"), in("xw.npz#w"), in("y2.npz#y"), in("means2.npz")},
		{"safetensors", 0, in("x.npy"), in("w.npy"), in("y3.safetensors#y"), in("means3.safetensors")},
		{"another file system", 0, in("x.npy"), in("w.npy"), "memfs://y4.npy", "memfs://means4.npz"},
		{"processes", 2, in("x.npy"), in("w.npy"), in("y5.npy"), in("means5.npy")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := runJob(t, t.Context(), spec(40000, c.workers, c.x, c.w, c.y, c.means+":f32[61]"), nil); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(read(t, c.y, ""), y) || !bytes.Equal(read(t, c.means, ""), means) {
				t.Error("the results are not those of a job of one piece")
			}
		})
	}
	from := Spec{File: kernels + ":softmax", Grid: "61", Memory: 40000,
		Args: []string{in("y3.safetensors"), "cols=300", "BLOCK=512"}, Outputs: []string{"memfs://s.safetensors"}}
	if err := runJob(t, t.Context(), from, nil); err != nil {
		t.Error("from a .safetensors file:", err)
	}
	leftovers(t, dir)
}

// leftovers reports files that a job leaves beside its results.
func leftovers(t *testing.T, dir string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestBlocks: a product whose pieces are columns of rows, put together from files of pieces, is that of one piece.
func TestBlocks(t *testing.T) {
	dir := t.TempDir()
	a := save(t, filepath.Join(dir, "a.npy"), tensor.Randn(1, tl.Float32, 64, 64))
	b := save(t, filepath.Join(dir, "b.npy"), tensor.Randn(2, tl.Float32, 64, 4096))
	run := func(memory int, out string) []byte {
		s := Spec{File: kernels + ":matmul", Grid: "2,64", Memory: memory,
			Args:    []string{a, b, "M=64", "N=4096", "K=64", "BM=32", "BN=64", "BK=32"},
			Outputs: []string{"c=" + out + ":f32[64,4096]"}}
		if err := runJob(t, t.Context(), s, nil); err != nil {
			t.Fatal(err)
		}
		return read(t, out, "")
	}
	want := run(1<<30, filepath.Join(dir, "c.npy"))
	for _, out := range []string{filepath.Join(dir, "c1.npy"), "memfs://c2.npy"} {
		if !bytes.Equal(run(3<<20, out), want) {
			t.Errorf("%s is not the product", out)
		}
	}
}

// TestInPlace: elements that no program writes stay as they were.
func TestInPlace(t *testing.T) {
	dir := t.TempDir()
	x := save(t, filepath.Join(dir, "x.npy"), tensor.Arange(tl.Float32, 0, 1000))
	for _, out := range []string{filepath.Join(dir, "y.npy"), "memfs://inplace.npy", x} {
		s := Spec{File: kernels + ":scale", Grid: "7", Memory: 1 << 13,
			Args: []string{"x=" + x, "n=900", "BLOCK=128"}, Outputs: []string{"x=" + out}}
		if err := runJob(t, t.Context(), s, nil); err != nil {
			t.Fatal(err)
		}
		got := read(t, out, "")
		want := tensor.Arange(tl.Float32, 0, 1000)
		for i := range 7 * 128 {
			tensor.Data[float32](want)[i] *= 2
		}
		if !bytes.Equal(got, want.Buf().Bytes()) {
			t.Errorf("%s differs", out)
		}
	}
}

// TestWorkerDies: a process that is killed while it runs pieces is replaced, and the results are the same.
func TestWorkerDies(t *testing.T) {
	dir := t.TempDir()
	x := save(t, filepath.Join(dir, "x.npy"), tensor.Randn(1, tl.Float32, 4000, 512))
	spec := func(workers int, out string) Spec {
		return Spec{File: kernels + ":softmax", Grid: "4000", Memory: 1 << 17, Workers: workers,
			Args: []string{x, "cols=512", "BLOCK=512"}, Outputs: []string{filepath.Join(dir, out)}}
	}
	if err := runJob(t, t.Context(), spec(0, "a.npy"), nil); err != nil {
		t.Fatal(err)
	}
	killed := make(chan int, 1)
	kill := func(w *Watch) {
		for w.Rows() == 0 {
			time.Sleep(100 * time.Microsecond)
		}
		n := 0
		started.Range(func(_, v any) bool {
			if r := v.(*starting).job; r != nil && r.children != nil && watching(r.plan) == w {
				r.children.mu.Lock()
				for k := range r.children.alive {
					_ = k.cmd.Process.Kill()
					n++
					break
				}
				r.children.mu.Unlock()
			}
			return true
		})
		killed <- n
	}
	if err := runJob(t, t.Context(), spec(2, "b.npy"), kill); err != nil {
		t.Fatal(err)
	}
	if n := <-killed; n != 1 {
		t.Errorf("%d processes were killed, want 1", n)
	}
	if !bytes.Equal(read(t, filepath.Join(dir, "a.npy"), ""), read(t, filepath.Join(dir, "b.npy"), "")) {
		t.Error("the results differ")
	}
	leftovers(t, dir)
}

// TestErrors: what is wrong ends in one error, which says what and where, and nothing is left.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	save(t, in("x.npy"), tensor.Randn(1, tl.Float32, 64, 100))
	save(t, in("d.npy"), tensor.Randn(1, tl.Float64, 64, 100).T())
	whole, err := os.ReadFile(in("x.npy"))
	if err == nil {
		err = errors.Join(os.WriteFile(in("short.npy"), whole[:len(whole)-1], 0o644), os.Mkdir(in("dir.npy"), 0o755),
			tensor.SaveNpzCompressed(in("z.npz"), map[string]*tensor.Tensor{"x": tensor.Ones(tl.Float32, 9)}))
	}
	if err != nil {
		t.Fatal(err)
	}
	spec := func(x, out string, args ...string) Spec {
		return Spec{File: kernels + ":softmax", Grid: "64", Memory: 30000,
			Args: append([]string{x}, args...), Outputs: []string{out}}
	}
	full := []string{"cols=100", "BLOCK=128"}
	for _, c := range []struct {
		name string
		s    Spec
		want []string
	}{
		{"a missing file", spec(in("no.npy"), in("o.npy"), full...), []string{"no.npy", "no such file"}},
		{"a file that is cut off", spec(in("short.npy"), in("o.npy"), full...),
			[]string{"short.npy", "not complete"}},
		{"a folder", spec(in("dir.npy"), in("o.npy"), full...), []string{"dir.npy is no file"}},
		{"columns", spec(in("d.npy"), in("o.npy"), full...), []string{"d.npy", "ascontiguousarray"}},
		{"compressed", spec(in("z.npz"), in("o.npy"), full...), []string{"z.npz", "compressed", "numpy.savez"}},
		{"another dtype of the result", spec(in("x.npy"), in("o.npy")+":i64[3]", full...),
			[]string{"kernels.go:22", "out of bounds"}},
		{"a wrong size", spec(in("x.npy"), in("o.npy"), "cols=120", "BLOCK=128"),
			[]string{"piece ", "kernels.go:20", "program (53) of grid (64)"}},
		{"no argument", spec(in("x.npy"), in("o.npy"), "cols=100"), []string{"BLOCK of softmax has no argument"}},
		{"no such parameter", spec(in("x.npy"), in("o.npy"), "columns=100"),
			[]string{"no parameter columns", "cols"}},
		{"a folder that is missing", spec(in("x.npy"), in("no/o.npy"), full...), []string{"no such file"}},
		{"a kind of file", spec(in("x.npy"), in("o.csv"), full...), []string{"want FILE.npy"}},
		{"not enough memory", Spec{File: kernels + ":softmax", Grid: "64", Memory: 300,
			Args: append([]string{in("x.npy")}, full...), Outputs: []string{in("o.npy")}},
			[]string{"kernels.go", "cannot be cut", "one program needs"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := runJob(t, t.Context(), c.s, nil)
			for _, w := range c.want {
				if err == nil || !strings.Contains(err.Error(), w) {
					t.Fatalf("no %q in: %v", w, err)
				}
			}
			if _, err := os.Stat(in("o.npy")); err == nil {
				t.Error("there is a result")
			}
			leftovers(t, dir)
		})
	}
}

// TestCancelled: a job whose context is done ends, and leaves nothing.
func TestCancelled(t *testing.T) {
	dir := t.TempDir()
	x := save(t, filepath.Join(dir, "x.npy"), tensor.Randn(1, tl.Float32, 4000, 512))
	ctx, cancel := context.WithCancel(t.Context())
	s := Spec{File: kernels + ":softmax", Grid: "4000", Memory: 1 << 16,
		Args: []string{x, "cols=512", "BLOCK=512"}, Outputs: []string{filepath.Join(dir, "o.npy")}}
	err := runJob(t, ctx, s, func(w *Watch) {
		for w.Rows() == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	leftovers(t, dir)
}

// TestFileSystemStreams: what a file system gives as a stream is read on, or from the beginning again.
func TestFileSystemStreams(t *testing.T) {
	x := tensor.Arange(tl.Int32, 0, 1000)
	fs, err := filesystem.New(t.Context(), "memfs://stream.npy")
	if err != nil {
		t.Fatal(err)
	}
	w, err := fs.OpenWrite(t.Context(), "memfs://stream.npy")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(tensor.WriteNpy(w, x), w.(io.Closer).Close()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, "memfs://stream.npy", ""), x.Buf().Bytes()) {
		t.Error("the elements differ")
	}
}

func whole(n int) cut.Region { return cut.Region{Off: 0, Rows: 1, Cols: n, Stride: n} }

// TestTasks: tasks have all pieces, and several each, so that a worker can overlap what it does.
func TestTasks(t *testing.T) {
	if all := tasks(10000, 4, 1); len(all) != 1 || all[0] != (Task{0, 10000}) {
		t.Errorf("one task for one worker: %v", all)
	}
	for _, n := range []int{0, 1, 7, 12, 100, 10000} {
		for _, processes := range []int{0, 1, 4} {
			next := 0
			for _, k := range tasks(n, processes, mostTasks) {
				if k.Lo != next || k.Hi-k.Lo < min(n, perTask*max(1, processes)) {
					t.Fatalf("%d pieces in %d processes: a task of %d to %d after %d", n, processes, k.Lo, k.Hi, next)
				}
				next = k.Hi
			}
			if next != n {
				t.Errorf("%d pieces in %d processes: tasks have %d", n, processes, next)
			}
		}
	}
}

// TestQueue: each process gets neighbours; who is done takes from the end of who has most; who has
// one gets no other one of the last; a piece that kills its processes is found out.
func TestQueue(t *testing.T) {
	q := newQueue(Task{10, 20}, 3)
	var got []int
	for _, process := range []int{0, 0, 0, 0, 1, 2, 0} {
		i, ok := q.take(process, 0)
		if !ok {
			t.Fatal("it is empty")
		}
		got = append(got, i)
	}
	if want := []int{10, 11, 12, 19, 13, 16, 15}; !slices.Equal(got, want) {
		t.Errorf("got %d, want %d", got, want)
	}
	if i, ok := q.take(2, 1); ok {
		t.Errorf("a process that has one takes %d, of three that are left for three processes", i)
	}
	for n := 1; n <= attempts; n++ {
		if bad := q.again(1, map[int]bool{14: true}); (bad == 14) != (n == attempts) {
			t.Errorf("attempt %d: %d has had its attempts", n, bad)
		}
	}
	for !q.empty() {
		if _, ok := q.take(2, 0); !ok {
			t.Fatal("what is not empty has nothing")
		}
	}
}
