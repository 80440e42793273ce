package shape

import "testing"

func TestBroadcast(t *testing.T) {
	for _, c := range []struct {
		x, y, want Shape
		ok         bool
	}{
		{Of(), Of(4), Of(4), true},
		{Of(4, 1), Of(8), Of(4, 8), true},
		{Of(1, 8), Of(4, 1), Of(4, 8), true},
		{Of(2, 1, 8), Of(4, 1), Of(2, 4, 8), true},
		{Of(4), Of(8), Shape{}, false},
		{Of(4, 8), Of(4), Shape{}, false},
	} {
		for _, p := range [][2]Shape{{c.x, c.y}, {c.y, c.x}} {
			z, ok := p[0].Broadcast(p[1])
			if ok != c.ok || ok && z != c.want {
				t.Errorf("%v and %v: got %v, %v, want %v, %v", p[0], p[1], z, ok, c.want, c.ok)
			}
		}
	}
	if Of(4, 1).BroadcastsTo(Of(4)) || !Of(1).BroadcastsTo(Of(4, 8)) {
		t.Error("BroadcastsTo: a shape repeats along its own axes, never along another's")
	}
}

func TestPermute(t *testing.T) {
	if z, ok := Of(2, 3, 4).Permute([]int{2, 0, 1}); !ok || z != Of(4, 2, 3) {
		t.Errorf("got %v, %v", z, ok)
	}
	for _, axes := range [][]int{{0, 1}, {0, 1, 1}, {0, 1, 3}, {-1, 0, 1}, {0, 1, 2, 3}} {
		if _, ok := Of(2, 3, 4).Permute(axes); ok {
			t.Errorf("%v names each axis of three once?", axes)
		}
	}
}

func TestAxes(t *testing.T) {
	s := Of(2, 3, 4)
	if z := s.Drop(1); z != Of(2, 4) || z.Insert(1, 3) != s || s.With(1, 5) != Of(2, 5, 4) {
		t.Errorf("drop, insert, with: %v", z)
	}
	if !s.IsDense(s.Dense()) || s.IsDense(Of(12, 5, 1)) || !Of(1, 4).IsDense(Of(9, 1)) {
		t.Error("dense strides")
	}
	if at := s.Place(23); at != Of(1, 2, 3) || at.String() != "[1,2,3]" || Of().String() != "" {
		t.Errorf("the last place is %v", at)
	}
	if st := Of(3, 1).Stretch(Of(1, 1), Of(2, 3, 4)); st != Of(0, 1, 0) {
		t.Errorf("stretch: %v", st)
	}
}
