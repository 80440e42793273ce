// Package dot adds up matrix products in Go: the chains of sums that tl.Dot and its options mean, which every engine
// gives bit for bit.
package dot

import (
	"fmt"

	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// A Chain is one of the ways in which a Dot adds up the products of an element.
type Chain uint8

// The chains.
const (
	Ascending Chain = iota // AddAscending
	Pairs                  // AddPairs
	Tiles                  // AddTiles
	numChains
)

// chains says what each is called: in IR, and by kernels that ask for it.
var chains = [numChains]struct{ name, option string }{
	Ascending: {},
	Pairs:     {"bf16pairs", "BF16Pairs"},
	Tiles:     {"bf16tiles", "BF16Tiles"},
}

// Chains are those that a kernel must ask for, all for operands of bfloat16.
func Chains() []Chain { return []Chain{Pairs, Tiles} }

// String is the chain's name in IR, empty for Ascending.
func (c Chain) String() string { return chains[c].name }

// Option is the name of the Dot option that asks for it.
func (c Chain) Option() string { return chains[c].option }

// Dot adds the product of a (m×k) and b (k×n) to z (m×n) as c does: see AddAscending, AddPairs
// and AddTiles.
func (c Chain) Dot(z, a, b dtype.Buf, m, n, k int) {
	d := adders.Get().(*Adder)
	d.Run(c, dtype.Float32, z, a, b, m, n, k)
	adders.Put(d)
}

// Run is c.Dot for operands that may have been widened from a narrow type.
func (d *Adder) Run(c Chain, from dtype.DType, z, a, b dtype.Buf, m, n, k int) {
	switch c {
	case Pairs:
		AddPairs(z, a, b, m, n, k)
	case Tiles:
		d.Tiles(z, a, b, m, n, k)
	default:
		d.Widened(from, z, a, b, m, n, k)
	}
}

// Takes checks the chain that an option asks for.
func Takes(x, y rule.Type, c Chain) *diag.Diagnostic {
	if c != Ascending && (x.D != dtype.BFloat16 || y.D != dtype.BFloat16) {
		d := &diag.Diagnostic{Msg: fmt.Sprintf("%s and %s: tl.%s is for operands of bfloat16", x, y, c.Option())}
		return d.Fix("convert both with To(tl.BFloat16), or leave out the option")
	}
	return nil
}

// OneChain checks that of two options of a product both ask for one chain.
func OneChain(a, b Chain) *diag.Diagnostic {
	if a == Ascending || a == b {
		return nil
	}
	first, second := min(a, b).Option(), max(a, b).Option()
	d := &diag.Diagnostic{Msg: fmt.Sprintf("tl.%s and tl.%s: a product can have only one of them", first, second)}
	return d.Fix("remove one of them")
}
