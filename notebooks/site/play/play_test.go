package play

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// ask is the answers to a request, the last one last.
func ask(t *testing.T, s *Server, r Request) (list []Answer) {
	t.Helper()
	s.emit = func(a Answer) { list = append(list, a) }
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	s.Handle(text)
	if len(list) == 0 || !list[len(list)-1].Done {
		t.Fatalf("%v has no end: %v", r, list)
	}
	return list
}

func text(p *Picture) string {
	var b strings.Builder
	if p == nil {
		return ""
	}
	for _, x := range p.Blocks {
		for _, s := range x.Line {
			b.WriteString(s[1])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestWrapped: the lanes that have run into the next row, whichever way the tile lies.
func TestWrapped(t *testing.T) {
	s := New(nil)
	ask(t, s, Request{Op: "run", Name: "cell 1", Text: "A := tensor.Zeros(tl.Float32, 8, 8)\na, b := tl.Arange(0, 2)*8, tl.Arange(0, 4)"})
	for _, c := range []struct {
		text string
		want []int
	}{
		{"A + (a[:, None] + b[None, :] + 4)", nil},
		{"A + (a[:, None] + b[None, :] + 6)", []int{2, 3, 6, 7}},
		{"A + (a[None, :] + b[:, None] + 6)", []int{4, 5, 6, 7}},
		{"A + b*8", nil},
	} {
		a := ask(t, s, Request{Op: "run", Name: "cell 2", Text: c.text})
		p := a[0].Picture.Pointers
		if p == nil {
			t.Fatalf("%s: %+v", c.text, a)
		}
		var got []int
		for i, w := range p.Wrapped {
			if w {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: lanes %v, want %v", c.text, got, c.want)
		}
	}
}

func TestAnswers(t *testing.T) {
	s := New(nil)
	a := ask(t, s, Request{ID: 7, Op: "run", Name: "cell 3", Text: "x := 1\nx + nothing"})
	if last := a[len(a)-1]; last.ID != 7 || last.OK || !strings.HasPrefix(text(last.Problem), "cell 3:2:5: undefined: nothing") {
		t.Errorf("an error: %+v %s", last, text(last.Problem))
	}
	a = ask(t, s, Request{Op: "run", Name: "cell 1", Text: `for i := range 100000 { fmt.Println(i) }`})
	if n := len(a[0].Text); n > mostText+100 || !strings.Contains(a[0].Text, "which is not shown") {
		t.Errorf("a cell that prints much: %d bytes", n)
	}
	a = ask(t, s, Request{Op: "complete", Text: "tl.Aran", Pos: 7})
	if len(a[0].Candidates) != 1 || a[0].Candidates[0].Text != "Arange" || a[0].Start != 3 {
		t.Errorf("completion: %+v", a[0])
	}
	if a = ask(t, s, Request{Op: "inspect", Text: "tl.Arange", Pos: 4}); !strings.Contains(text(a[0].Picture), "Arange") {
		t.Errorf("inspection: %+v", a[0])
	}
	for _, r := range []Request{{Op: "nonsense"}, {Op: "judge", Name: "nobody"}, {Op: "judge", Name: "addTen", Text: "1"}, {Op: "step", Text: "nobody[1]()"}} {
		if a = ask(t, s, r); a[len(a)-1].OK || a[len(a)-1].Problem == nil {
			t.Errorf("%+v: %+v", r, a)
		}
	}
	s.Handle([]byte("{"))
}

func TestSteps(t *testing.T) {
	s := New(nil)
	ask(t, s, Request{Op: "run", Name: "cell 1", Text: "func add(p *tl.Program, x tl.Ptr, B tl.Const) {\n\toffs := p.ID(0)*B + tl.Arange(0, B)\n\tv := tl.Load(x + offs)\n\ttl.Store(x+offs, v+1)\n}\nx := tensor.Zeros(tl.Float32, 6)"})
	a := ask(t, s, Request{Op: "step", Text: "add[2](x, 4)", Number: 1})
	last := a[len(a)-1]
	if last.OK || last.Steps.Of != 2 || last.Steps.ID != [3]int{1, 0, 0} || len(last.Steps.List) != 1 {
		t.Fatalf("%+v", last.Steps)
	}
	if st := last.Steps.List[0]; st.Line != 2 || st.File != "cell 1" || st.Vars[0].Name != "offs" {
		t.Errorf("%+v", st)
	}
	if got := text(last.Problem); !strings.Contains(got, "x[6], 1 element past the end of x") {
		t.Error(got)
	}
	a = ask(t, s, Request{Op: "step", Text: "add[1](x, 4)"})
	if last = a[len(a)-1]; !last.OK || len(last.Steps.List) != 3 {
		t.Errorf("%v", fmt.Sprint(last))
	}
}

func TestJudge(t *testing.T) {
	s := New(nil)
	for code, right := range map[string]bool{
		"func addTen(p *tl.Program, x, out tl.Ptr, N tl.Const) {\n\toffs := tl.Arange(0, N)\n\ttl.Store(out+offs, tl.Load(x+offs)+10)\n}": true,
		"func addTen(p *tl.Program, x, out tl.Ptr, N tl.Const) {\n\toffs := tl.Arange(0, N)\n\ttl.Store(out+offs, tl.Load(x+offs)+9)\n}":  false,
	} {
		a := ask(t, s, Request{Op: "judge", Name: "addTen", Text: code})
		if last := a[len(a)-1]; last.Right == nil || *last.Right != right {
			t.Errorf("%s: %+v", code, last)
		}
	}
}
