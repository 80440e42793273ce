package gofile

import (
	"fmt"
	"testing"
)

// TestQuotients: what parameters are divided by, of a kernel that does not compile.
func TestQuotients(t *testing.T) {
	f, err := Load("k.go", `package k

import tl "github.com/tiler-go/tiler/tilelang"

const half = 2

var other = 3

func k(p *tl.Program, x tl.Ptr, C, D, G int, B tl.Const) {
	_, _, _ = D/half, (D)/(4), C/G*other
	_, _, _ = C/other, x, 8/D
	go func() {}()
}
`)
	if err != nil {
		t.Fatal(err)
	}
	constants, params := f.Quotients("k")
	if got, want := fmt.Sprint(constants, params), "[[] [] [2 4] [] []] [[] [3] [] [] []]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
