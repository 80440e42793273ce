package bench

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/bench/peer"
)

func TestSelects(t *testing.T) {
	r := row{name: "softmax", label: "4096x1024"}
	quick := r
	quick.quick = true
	for _, c := range []struct {
		o    Options
		r    row
		want bool
	}{
		{Options{}, r, true},
		{Options{Suites: []string{"add", "softmax"}}, r, true},
		{Options{Suites: []string{"add"}}, r, false},
		{Options{Filter: regexp.MustCompile("^soft.* 4096")}, r, true},
		{Options{Filter: regexp.MustCompile("1823")}, r, false},
		{Options{Quick: true}, r, false},
		{Options{Quick: true}, quick, true},
	} {
		if got := c.o.selects(c.r); got != c.want {
			t.Errorf("%+v selects %s: %v, want %v", c.o, c.r.name, got, c.want)
		}
	}
}

func TestJudge(t *testing.T) {
	bars := []bar{
		{against: "openblas", least: 1}, {against: "peak", least: 0.9, threads: 1}, {against: "peak", least: 0.5, threads: 2},
		{against: "onednn", least: 1}, {most: 2},
	}
	r := Result{Threads: 2, Value: 3, Peak: 100, OfPeak: 0.6, Ratio: map[string]float64{"openblas": 0.8}}
	r.judge(bars)
	want := []Goal{
		{Against: "openblas", Least: 1, Got: 0.8}, {Against: "peak", Least: 0.5, Got: 0.6, Met: true}, {Most: 2, Got: 3},
	}
	if len(r.Goals) != len(want) {
		t.Fatalf("goals %+v, want %+v", r.Goals, want)
	}
	for i := range want {
		if r.Goals[i] != want[i] {
			t.Errorf("goal %d is %+v, want %+v", i, r.Goals[i], want[i])
		}
	}
	if got := len(r.Short()); got != 2 {
		t.Errorf("%d goals missed, want 2", got)
	}
}

// results are one of each kind.
var results = []Result{
	{Name: "launch", Case: "empty, 1 program", Threads: 1, Value: 1.234, Unit: "us", Spread: 0.04},
	{
		Name: "blocks", Case: "512x512x512 f32", Threads: 2, Value: 471.3, Unit: "GF/s", Spread: 0.021, Peak: 545, OfPeak: 0.864,
		Ratio: map[string]float64{"openblas": 1.04, "onednn": 0.98},
		Goals: []Goal{{Against: "peak", Least: 0.9, Got: 0.864}, {Against: "openblas", Least: 1, Got: 1.04, Met: true}},
	},
	{Name: "blocks", Case: "1024x1024x1024 f32", Threads: 1, Skipped: "this machine has no avx512"},
	{Name: "bias", Case: "16x16x16 f16", Threads: 1, Value: 3.5, Unit: "us", Goals: []Goal{{Most: 2, Got: 3.5}}, Missing: map[string]string{"numba": "No module named 'numba'"}},
	{Name: "add", Case: "98432", Threads: 1, Error: "wrong result\nelement 0"},
}

func TestPrinter(t *testing.T) {
	var b strings.Builder
	p, sum := Printer{W: &b}, Summary{}
	for _, r := range results {
		p.Print(r)
		sum.Add(r)
	}
	sum.Write(&b)
	if sum.Failed() != 1 {
		t.Errorf("%d rows failed, want 1", sum.Failed())
	}
	golden(t, "table.txt", b.String())
}

func TestWritePeers(t *testing.T) {
	var b strings.Builder
	WritePeers(&b, []Peer{{Name: "numpy", Version: "1.24"}, {Name: "torch", About: "PyTorch", Problem: "No module named 'torch'", Install: peer.Kinds[2].Install()}})
	b.WriteString("\n")
	WritePeers(&b, []Peer{{Name: "gcc", Version: "12.2"}})
	golden(t, "peers.txt", b.String())
}

// golden compares text with a file of testdata, or writes that if UPDATE is set.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := "testdata/" + name
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s\n(UPDATE=1 go test writes it)", name, got, want)
	}
}

// TestRun measures the shortest row there is.
func TestRun(t *testing.T) {
	var got []Result
	o := Options{Suites: []string{"launch"}, Filter: regexp.MustCompile("1 program$"), Quick: true, Alone: true, Engine: "portable"}
	if err := Run(context.Background(), o, func(r Result) { got = append(got, r) }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Error != "" || !(got[0].Value > 0) {
		t.Fatalf("got %+v, want one result with a value", got)
	}
	text, err := json.Marshal(got[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`"name":"launch"`, `"case":"empty, 1 program"`, `"engine":"portable"`, `"threads":1`, `"value":`, `"unit":"us"`, `"peers":{}`, `"ratio":{}`} {
		if !strings.Contains(string(text), key) {
			t.Errorf("%s has no %s", text, key)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	if err := Run(context.Background(), Options{Engine: "warp"}, nil); err == nil || !strings.Contains(err.Error(), `no engine "warp"`) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Run(ctx, Options{}, func(Result) { t.Error("a cancelled run measures nothing") }); err == nil {
		t.Error("a cancelled run is an error")
	}
}

func TestSuites(t *testing.T) {
	got := strings.Join(Suites(), " ") // and those of package real
	if want := "machine launch bias compile blocks strided few-rows bf16-fast int8 avx2 softmax layernorm add attention checks "; !strings.HasPrefix(got, want) {
		t.Errorf("suites %s, want %s", got, want)
	}
}
