package shard

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestMerge: shards in any order, some of them twice, are the run; of two results of an item the same one is kept.
func TestMerge(t *testing.T) {
	const items, shards = 10, 4
	var texts []string
	for i := range shards + 2 {
		var b bytes.Buffer
		l := Lines{Shard{i % shards, shards}, "bench", "some/where/x.go", &b}
		for k := range items {
			if l.Has(k) {
				if err := l.Item(k, k == 7, []int{k, i / shards}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := l.End(items); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, b.String())
	}
	want := "[0,0]\n[1,0]\n[2,0]\n[3,0]\n[4,0]\n[5,0]\n[6,0]\n[7,0]\n[8,0]\n[9,0]\n"
	for range 20 {
		var all strings.Builder
		for _, i := range rand.Perm(len(texts)) {
			all.WriteString(texts[i])
		}
		var b strings.Builder
		failed, err := Merge(&b, map[string][]byte{"-": []byte(all.String())})
		if err != nil || !failed || b.String() != want {
			t.Fatalf("got %q, %v, %v", b.String(), failed, err)
		}
	}
	for _, c := range []struct{ text, want string }{
		{texts[0] + texts[1] + texts[2], "shard 3/4 is missing"},
		{strings.Join(texts[:4], "")[strings.Index(texts[0], "\n")+1:], "item 0 of 10 is missing"},
		{texts[0] + strings.ReplaceAll(texts[1], `"items":10`, `"items":11`), "a run of 11 items"},
		{texts[0] + strings.ReplaceAll(texts[1], "bench", "check"), "among those of tiler bench x.go"},
		{`{"kernel":"x"}`, "no line of a shard"},
		{"", "no line of a shard"},
	} {
		_, err := Merge(&strings.Builder{}, map[string][]byte{"-": []byte(c.text)})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}
