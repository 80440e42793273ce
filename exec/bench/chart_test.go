package bench

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

func readResults(t *testing.T, name string) []Result {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := ReadResults(f)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestFigures: the chart in the README is drawn from the figures beside it.
func TestFigures(t *testing.T) {
	var b bytes.Buffer
	if err := WriteChart(&b, readResults(t, "figures.json")); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile("figures.svg", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("figures.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Error("figures.svg is not what figures.json gives: refresh it with UPDATE=1")
	}
	for d := xml.NewDecoder(&b); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestChart: runs of one case are a range, cases with nothing beside them are not drawn,
// and names are text.
func TestChart(t *testing.T) {
	list := []Result{
		{Name: "a<b", Case: "x&y", Threads: 1, Ratio: map[string]float64{"numpy": 2, "new": 1.5}},
		{Name: "a<b", Case: "x&y", Threads: 1, Ratio: map[string]float64{"numpy": 3}, OfPeak: .5},
		{Name: "a<b", Case: "x&y", Threads: 2, OfPeak: .91},
		{Name: "launch", Case: "empty", Threads: 1, Value: .3, Unit: "us"},
		{Name: "failed", Case: "one", Threads: 1, Error: "it failed", Ratio: map[string]float64{"numpy": 7}},
	}
	var b bytes.Buffer
	if err := WriteChart(&b, list); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a&lt;b", "x&amp;y", "2–3 × NumPy", "1.5 × new", ">50 %<", ">91 %<", "1 thread<", "2 threads<"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	for _, bad := range []string{"launch", "failed", "a<b"} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("%s is drawn", bad)
		}
	}
	if err := WriteChart(io.Discard, list[3:]); err == nil || !strings.Contains(err.Error(), "nothing to draw") {
		t.Error(err)
	}
	if _, err := ReadResults(strings.NewReader("{\"name\":\"x\"}\n{")); err == nil || !strings.HasPrefix(err.Error(), "result 2: ") {
		t.Error(err)
	}
}
