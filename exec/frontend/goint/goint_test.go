package goint

import (
	"math/rand/v2"
	"testing"
)

// TestRules: a rule says what Go does here.
func TestRules(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, d := range integers {
		rule, ok := For(d)
		if !ok {
			continue // no rule explains this processor
		}
		for range 1000 {
			x := (r.Float64() - 0.5) * float64(uint64(1)<<r.IntN(64)) * 16
			if got, want := rule.of(d, x), Convert(d, x); got != want {
				t.Errorf("%v(%v): %#x, want %#x", d, x, got, want)
			}
		}
	}
}
