package symbols

import (
	"slices"
	"strings"
	"testing"
)

// TestTopics: each package that can be imported is under one topic.
func TestTopics(t *testing.T) {
	var want, got []string
	for _, p := range Packages() {
		want = append(want, p.Path)
	}
	for path := range genericFiles() {
		want = append(want, path)
	}
	for _, s := range Topics() {
		for _, path := range s.Paths {
			got = append(got, strings.Replace(path, "…", "github.com/tiler-go/tiler", 1))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if want = slices.Compact(want); !slices.Equal(got, want) {
		t.Errorf("the topics hold\n%s\nwhat can be imported is\n%s", got, want)
	}
}
