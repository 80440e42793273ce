package cut

import (
	"bytes"
	"context"
	"testing"
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
	pieces, err := p.Cut(800000)
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
	read := s.reads[1]
	again, err := l.Load(t.Context(), pieces[len(pieces)-1], s)
	if err != nil {
		t.Fatal(err)
	}
	again.Free()
	if s.reads[1] == read {
		t.Error("a loader holds memory of tasks that are gone")
	}

	p, data = launch(t, "scale", []int{1}, f32(1, 512), 512, 512)
	one, err := p.Cut(1 << 20)
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
