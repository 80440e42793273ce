package op

import "github.com/tiler-go/tiler/tilelang/dtype"

// A Chain is one of the ways in which a Dot adds up the products of an element.
type Chain uint8

// The chains.
const (
	Ascending Chain = iota // DotChain
	Pairs                  // DotPairs
	Tiles                  // DotTiles
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

// Dot adds the product of a (m×k) and b (k×n) to z (m×n) as c does: see DotChain, DotPairs
// and DotTiles.
func (c Chain) Dot(z, a, b dtype.Buf, m, n, k int) {
	d := dotters.Get().(*Dotter)
	d.Run(c, dtype.Float32, z, a, b, m, n, k)
	dotters.Put(d)
}

// Run is c.Dot for operands that may have been widened from a narrow type.
func (d *Dotter) Run(c Chain, from dtype.DType, z, a, b dtype.Buf, m, n, k int) {
	switch c {
	case Pairs:
		DotPairs(z, a, b, m, n, k)
	case Tiles:
		d.Tiles(z, a, b, m, n, k)
	default:
		d.Widened(from, z, a, b, m, n, k)
	}
}
