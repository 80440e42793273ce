package check_test

import (
	"io"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// An act is one access of a program: to an element, or an atomic to two.
type act struct {
	kind tl.AccessKind
	at   int
}

// scripts is a few random acts for each of a few programs on n elements.
func scripts(r *rand.Rand, n int) [][]act {
	all := make([][]act, 2+r.IntN(3))
	for p := range all {
		for range r.IntN(4) {
			all[p] = append(all[p], act{tl.AccessKind(r.IntN(3)), r.IntN(n - 1)})
		}
	}
	return all
}

// touches is the elements that an act accesses.
func (a act) touches() []int {
	if a.kind == tl.Updates {
		return []int{a.at, a.at + 1}
	}
	return []int{a.at}
}

// races reports whether two programs access one element, at least one of them writing,
// and not both atomically: by comparing all with all.
func races(all [][]act) bool {
	for p, mine := range all {
		for _, others := range all[:p] {
			for _, a := range mine {
				for _, b := range others {
					if a.kind == b.kind && a.kind != tl.Stores {
						continue
					}
					for _, i := range a.touches() {
						for _, j := range b.touches() {
							if i == j {
								return true
							}
						}
					}
				}
			}
		}
	}
	return false
}

// TestRacesExactly: a race is found exactly where two programs can meet, whatever they do
// in which order.
func TestRacesExactly(t *testing.T) {
	const n = 12
	found := 0
	for seed := range uint64(600) {
		all := scripts(rand.New(rand.NewPCG(seed, 1)), n)
		kernel := func(p *tl.Program, x tl.Ptr) {
			for _, a := range all[p.ID(0)] {
				switch a.kind {
				case tl.Loads:
					tl.Load(x.Add(a.at))
				case tl.Stores:
					tl.Store(x.Add(a.at), 1)
				default:
					tl.AtomicAdd(x.Add(tl.Arange(0, 2)).Add(a.at), 1)
				}
			}
		}
		o := exec.Options{Output: io.Discard, Shuffle: seed, Check: exec.CheckOptions{NoVariations: true}}
		r, _ := exec.New(kernel, o).Check(exec.Grid{len(all)}, tensor.Zeros(tl.Int32, n))
		want := races(all)
		if got := len(r.Of(check.Race)) > 0; got != want {
			t.Fatalf("seed %d: race found: %v, want %v: %v\n%s", seed, got, want, all, r)
		}
		if want {
			found++
		}
	}
	if found < 100 || found > 500 {
		t.Errorf("%d of 600 scripts race: the test says little", found)
	}
}
