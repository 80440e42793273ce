package main

import (
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
)

// TestSwitchedOff: the doctor says why an engine of the machine is missing.
func TestSwitchedOff(t *testing.T) {
	for _, c := range []struct {
		tiers  []cpu.Tier
		single cpu.Features
		want   string
	}{
		{nil, 0, ""},
		{[]cpu.Tier{cpu.AVX512}, cpu.HasAVX512F | cpu.HasAVX512BW, "; switched off by GODEBUG: avx512"},
		{[]cpu.Tier{cpu.AVX2, cpu.AVX512}, cpu.HasFMA, "; switched off by GODEBUG: avx2, avx512"},
		{nil, cpu.HasAVX512VNNI | cpu.HasAVX512BF16, "; switched off by GODEBUG: avx512vnni, avx512bf16"},
	} {
		if got := switchedOff(c.tiers, c.single); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
