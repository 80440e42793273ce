package cpu

import (
	"fmt"
	"slices"
)

// Tier is a level of the instruction set. The zero value is the best one of this machine.
type Tier uint8

// The tiers, in ascending order.
const (
	Auto     Tier = iota // the best that the machine has
	Portable             // no generated code
	AVX2                 // AVX2, FMA, F16C, BMI1, BMI2, LZCNT, POPCNT
	AVX512               // AVX2 and AVX-512 F, DQ, BW, VL, CD
	numTiers
)

var tierNames = [numTiers]string{"auto", "portable", "avx2", "avx512"}

func (t Tier) String() string {
	if t >= numTiers {
		return fmt.Sprintf("tier(%d)", uint8(t))
	}
	return tierNames[t]
}

// Parse reads a tier by name. The empty string is Auto.
func Parse(name string) (Tier, error) {
	if name == "" {
		return Auto, nil
	}
	for t, n := range tierNames {
		if n == name {
			return Tier(t), nil
		}
	}
	return Auto, fmt.Errorf("unknown cpu tier %q: want auto, portable, avx2 or avx512", name)
}

// Tiers lists those that this machine has, in ascending order, from Portable.
func Tiers() []Tier {
	var s []Tier
	for t := Portable; t <= Best(); t++ {
		s = append(s, t)
	}
	return s
}

// Best is the highest tier of this machine.
func Best() Tier { return detected().tier }

// Available reports whether this machine has t.
func (t Tier) Available() bool { return t <= Best() }

// Resolve is the tier to generate code for when t is asked for: Auto is the best, and a tier that
// the machine does not have is an error.
func (t Tier) Resolve() (Tier, error) {
	switch {
	case t == Auto:
		return Best(), nil
	case t >= numTiers:
		return Portable, fmt.Errorf("no cpu tier %d", uint8(t))
	case t.Available():
		return t, nil
	case slices.Contains(SwitchedOffTiers(), t):
		return Portable, fmt.Errorf("%v is switched off by GODEBUG: the best tier left is %v", t, Best())
	}
	return Portable, fmt.Errorf("this machine has no %v: its best tier is %v", t, Best())
}

// SwitchedOffTiers are those that this machine has and that Go's own switches take from the program.
func SwitchedOffTiers() (s []Tier) {
	for t := Best() + 1; t <= (Detected() | SwitchedOff()).tier(); t++ {
		s = append(s, t)
	}
	return s
}
