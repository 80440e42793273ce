package gofile

import (
	"slices"
	"strings"
	"testing"
)

// What no kernel depends on may have type errors; what one does may not, and kernels
// are found by any name for their program and wherever they stand.
func TestPrune(t *testing.T) {
	const text = `package main

import tl "github.com/tiler-go/tiler/tilelang"

type program = *tl.Program

const block = 8

func main()      { undefinedInMain() }
func init()      { undefinedInInit() }
func idle() int  { return undefinedInIdle }
func half(n int) int { return third(n) + undefinedInHalf }
func third(n int) int { return n / 3 }

func kernel(p program, x tl.Ptr, n int) { tl.Store(x, half(n)) }

func outer() {
	k := func(p *tl.Program, x tl.Ptr) { tl.Store(x, undefinedInLiteral) }
	_ = k
}
`
	f, err := Load("k.go", text)
	if err != nil {
		t.Fatal(err)
	}
	got := f.Errors().Error()
	for name, want := range map[string]bool{"InMain": false, "InInit": false, "InIdle": false, "InHalf": true, "InLiteral": true} {
		if strings.Contains(got, "undefined"+name) != want {
			t.Errorf("undefined%s reported: %v, want %v\n%s", name, !want, want, got)
		}
	}
	if names := f.Kernels(); !slices.Equal(names, []string{"kernel", "@18"}) {
		t.Errorf("kernels %v", names)
	}
}
