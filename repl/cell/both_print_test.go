package cell_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/template"
)

type point struct {
	X, Y int
	note string
}
type polygon struct {
	Name   string
	Points []point
	Tags   map[string]int
	Next   *point
	any    any
}
type color uint8

func (c color) String() string { return fmt.Sprint("color#", uint8(c)) }

type temperature float64

type wrapped struct{ err error }

func (w wrapped) Error() string { return "wrapped(" + w.err.Error() + ")" }

type secret string

func (s secret) GoString() string { return "secret" }

func printStructs() string {
	p := polygon{"tri", []point{{1, 2, "a"}, {3, 4, ""}}, map[string]int{"b": 2, "a": 1}, nil, 5}
	return fmt.Sprintf("%v|%+v|%d", p, p, [][2]color{{1, 2}})
}
func printGoSyntax() string {
	return fmt.Sprintf("%#v|%#v|%#v|%#v", point{1, 2, "n"}, []point{{}}, map[string]color{"a": 1}, struct{ A []int }{})
}
func printTypes() string {
	var e error = wrapped{errors.New("x")}
	return fmt.Sprintf("%T %T %T %T %T %T %T", point{}, &point{}, []color{1}, temperature(1), e, map[string]point{}, 3)
}
func printAnyTypes() string {
	s := ""
	for _, v := range []any{point{}, color(1), 1, "a", nil, []temperature{}, func(point) {}, struct{}{}} {
		s += fmt.Sprintf("%T ", v)
	}
	return s
}
func printStringers() string {
	return fmt.Sprint(color(3), []color{1, 2}, map[color]color{5: 6}, struct{ C color }{7}, [2]color{}, &point{1, 2, "q"})
}
func printUnexported() string {
	type hidden struct {
		c color
		C color
		e error
	}
	return fmt.Sprintf("%v %+v", hidden{1, 2, nil}, hidden{})
}
func printVerbs() string {
	return fmt.Sprintf("%d %x %08.3f %q %v %s|%5s|%-5s|%t %c %U %e", color(255), color(255), temperature(3.14159), "q", temperature(2), color(1), color(2), color(3), true, 'x', 0x1F600, 1234.5)
}
func printErrors() string {
	e := wrapped{errors.New("inner")}
	return fmt.Sprintf("%v %s %d %v", e, e, 3, fmt.Errorf("ctx: %w", e))
}
func printSecret() string { return fmt.Sprintf("%v %#v %#v", secret("a"), secret("a"), []secret{"b"}) }
func printWidths() string {
	return fmt.Sprintf("%5d|%-5d|%05d|%+d|%6.2f|%x", []int{1, 2}, 3, 4, 5, []float64{1.5}, []byte("hi"))
}
func printNils() string {
	var p *point
	var s []point
	var m map[string]point
	var e error
	var f func()
	return fmt.Sprintf("%v %v %v %v %v %+v", p, s, m, e, f == nil, polygon{})
}
func printPointersNested() string {
	p := &polygon{Name: "a"}
	s := fmt.Sprintf("%v", []*polygon{p})
	return fmt.Sprint(strings.HasPrefix(s, "[0x"), fmt.Sprintf("%+v", p))
}
func printlnSpacing() string {
	return fmt.Sprintln("a", 1, 2, "b", "c", 3.0, color(1), point{}) + fmt.Sprint("a", 1, 2, "b", "c", 3.0)
}
func jsonStructs() string {
	type item struct {
		Name  string   `json:"name"`
		Price float64  `json:"price,omitempty"`
		Tags  []string `json:"tags"`
	}
	b, err := json.Marshal([]item{{"a", 1.5, nil}, {"b", 0, []string{"x"}}})
	var back []item
	err2 := json.Unmarshal(b, &back)
	return fmt.Sprint(string(b), err, back, err2, back[1].Tags)
}
func jsonAny() string {
	var v any
	err := json.Unmarshal([]byte(`{"a": [1, "x", null, true]}`), &v)
	m := v.(map[string]any)
	return fmt.Sprint(m["a"].([]any)[1], err, len(m))
}
func templates() string {
	var b strings.Builder
	t := template.Must(template.New("t").Parse("{{range .}}{{.Name}}={{.N}};{{end}}"))
	err := t.Execute(&b, []struct {
		Name string
		N    int
	}{{"a", 1}, {"b", 2}})
	return fmt.Sprint(b.String(), err)
}
func scanning() string {
	var a, b int
	var s string
	n, err := fmt.Sscanf("3 4 xyz", "%d %d %s", &a, &b, &s)
	return fmt.Sprint(n, err, a, b, s)
}

var printPrograms = []func() string{
	printStructs, printGoSyntax, printTypes, printAnyTypes, printStringers, printUnexported, printVerbs, printErrors, printSecret,
	printWidths, printNils, printPointersNested, printlnSpacing, jsonStructs, jsonAny, templates, scanning,
}
