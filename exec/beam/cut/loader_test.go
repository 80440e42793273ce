package cut

import (
	"bytes"
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"
)

// counted counts what is read of each argument.
type counted struct {
	*held
	reads map[int]int
}

func (c counted) Read(ctx context.Context, arg int, r Region, into []byte) error {
	c.reads[arg] += r.Len()
	return c.held.Read(ctx, arg, r, into)
}

// TestLoader: the pieces of a product come in an order in which a loader reads each block of columns once, and what
// they compute with memory that they share is what the whole launch computes; what is stored to is never shared.
func TestLoader(t *testing.T) {
	p, data := launch(t, "matmul", []int{8, 8},
		f32(1, 256, 128), f32(2, 128, 2048), zeros(256, 2048), 256, 2048, 128, 32, 256, 32)
	want := whole(t, p, data)
	pieces, err := p.Cut(800000, 1)
	if err != nil {
		t.Fatal(err)
	}
	s := counted{&held{t: t, p: p, data: data}, map[int]int{}}
	l := p.Loader()
	tasks := make([]*Task, 2) // one is still there while the next is read
	for i, q := range pieces {
		next, err := l.Load(t.Context(), q, s)
		if err != nil {
			t.Fatal(err)
		}
		if err := next.Launch(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := next.Save(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if old := tasks[i%2]; old != nil {
			old.Free()
		}
		tasks[i%2] = next
	}
	if !bytes.Equal(data[2].Buf().Bytes(), want[2].Buf().Bytes()) {
		t.Error("the product is another one")
	}
	if s.reads[1] != data[1].Len() {
		t.Errorf("%d elements of b read in %d pieces, of %d", s.reads[1], len(pieces), data[1].Len())
	}
	for _, task := range tasks {
		task.Free()
	}
	l.Release()
	if p.memory.used != 0 {
		t.Errorf("%d bytes are held by nobody", p.memory.used)
	}
	read := s.reads[1]
	again, err := l.Load(t.Context(), pieces[len(pieces)-1], s)
	if err != nil {
		t.Fatal(err)
	}
	again.Free()
	if s.reads[1] == read {
		t.Error("a loader holds memory that was released")
	}

	p, data = launch(t, "scale", []int{1}, f32(1, 512), 512, 512)
	one, err := p.Cut(1<<20, 1)
	if err != nil {
		t.Fatal(err)
	}
	s = counted{&held{t: t, p: p, data: data}, map[int]int{}}
	l = p.Loader()
	for range 2 {
		k, err := l.Load(t.Context(), one[0], s)
		if err != nil {
			t.Fatal(err)
		}
		defer k.Free()
	}
	if s.reads[0] != 2*512 {
		t.Errorf("what is stored to was read %d elements, not twice 512", s.reads[0])
	}
}

// TestInFlight: pieces of which three are in flight take no more memory than they may have together, and what they
// compute and save side by side is what the whole launch computes.
func TestInFlight(t *testing.T) {
	const memory, inFlight = 6 << 20, 3
	p, data := launch(t, "matmul", []int{32, 8},
		f32(1, 2048, 256), f32(2, 256, 8192), zeros(2048, 8192), 2048, 8192, 256, 64, 1024, 32)
	want := whole(t, p, data)
	reads := func(pieces []Piece) int {
		s := counted{&held{t: t, p: p, data: data}, map[int]int{}}
		l := p.Loader()
		var wg sync.WaitGroup
		defer wg.Wait()
		places := make(chan bool, inFlight)
		for _, q := range pieces {
			places <- true
			task, err := l.Load(t.Context(), q, s)
			if err != nil {
				t.Fatal(err)
			}
			p.memory.mu.Lock()
			if p.memory.used > memory {
				t.Errorf("%d bytes are in use, of %d", p.memory.used, memory)
			}
			p.memory.mu.Unlock()
			wg.Go(func() {
				if err := errors.Join(task.Launch(t.Context()), task.Save(t.Context(), s)); err != nil {
					t.Error(err)
				}
				task.Free()
				<-places
			})
		}
		return s.reads[0] + s.reads[1]
	}
	pieces, err := p.Cut(memory, inFlight)
	if err != nil {
		t.Fatal(err)
	}
	p.Limit(memory)
	if n, all := reads(pieces), len(pieces)*(data[0].Len()+data[1].Len()); n > all/8 {
		t.Errorf("%d elements are read in %d pieces", n, len(pieces))
	}
	if !bytes.Equal(data[2].Buf().Bytes(), want[2].Buf().Bytes()) {
		t.Error("the product is another one")
	}
}

// TestLimit: a loader waits for room until its context ends; whoever is alone does not.
func TestLimit(t *testing.T) {
	p, data := launch(t, "scale", []int{1}, f32(1, 512), 512, 512)
	one, err := p.Cut(1<<20, 1)
	if err != nil {
		t.Fatal(err)
	}
	p.Limit(1000)
	l, s := p.Loader(), &held{t: t, p: p, data: data}
	first, err := l.Load(t.Context(), one[0], s)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := l.Load(ctx, one[0], s); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	time.AfterFunc(10*time.Millisecond, first.Free)
	second, err := l.Load(t.Context(), one[0], s)
	if err != nil {
		t.Fatal(err)
	}
	second.Free()
	if p.memory.used != 0 {
		t.Errorf("%d bytes are in use by nobody", p.memory.used)
	}
}

// TestShapes: a product of which three pieces are in flight has rather few blocks of columns, which are in memory once
// each, and reads less than one whose pieces have a third of the memory each.
func TestShapes(t *testing.T) {
	const n, memory = 16384, 512 << 20
	text, err := os.ReadFile("testdata/kernels.go")
	if err != nil {
		t.Fatal(err)
	}
	l := &Launch{File: "kernels.go", Text: string(text), Kernel: "matmul", Grid: []int{n / 64, n / 64}}
	for range 3 {
		l.Args = append(l.Args, Arg{Tensor: &Tensor{DType: "float32", Shape: []int{n, n}}})
	}
	for _, i := range []int64{n, n, n, 64, 64, 64} {
		l.Args = append(l.Args, Arg{Int: &i})
	}
	p, err := Compile(l)
	if err != nil {
		t.Fatal(err)
	}
	read := func(memory, inFlight int) (mib int) {
		pieces, err := p.Cut(memory, inFlight)
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range pieces {
			for arg := range 2 {
				if i == 0 || pieces[i-1].Need[arg] != q.Need[arg] {
					mib += q.Need[arg].Bytes(4) >> 20
				}
			}
		}
		t.Logf("%d pieces of %v programs, %d MiB are read", len(pieces), pieces[0].N, mib)
		return mib
	}
	if together, apart := read(memory, 3), read(memory/3, 1); together != 5<<10 || apart < 3*together {
		t.Errorf("%d MiB are read; in pieces apart, %d", together, apart)
	}
}
