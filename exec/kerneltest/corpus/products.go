package corpus

import (
	"math/rand/v2"
	"slices"

	"github.com/tiler-go/tiler/exec/kerneltest"
)

// Edges are sizes at which engines change how they do a product: rows of register blocks, of copied
// and turned strips and of blocks of sums; columns of panels, registers and blocks; steps of the chain
// in groups, tiles, and calls. Random products are drawn around them; a test of the engine compares
// them with its constants.
var Edges = struct{ Rows, Cols, Chain []int }{
	Rows:  []int{4, 6, 8, 16, 32, 48, 128, 256},
	Cols:  []int{8, 16, 32, 48, 64, 96, 128, 288, 512, 576, 1024},
	Chain: []int{2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048},
}

// productRows are the rows of the corpus that are one product over the grid, with blocks and sizes
// that may be anything.
var productRows = []string{
	"Blocked", "Turned", "TurnedDouble", "Bytes", "BytesTurned", "BytesApart", "Wrapping", "Finished",
	"PairsBlocked", "PairsBlockedTiny", "PairsWrapping", "TilesBlocked", "TilesBlockedTiny", "TilesWrapping",
}

// mostWork bounds the multiply-adds of a random product: the interpreter does them, too.
const mostWork = 1 << 20

// RandomProduct is a launch of a product with sizes 1, and one less than, just and one more than an
// edge.
func RandomProduct(seed uint64) kerneltest.Case {
	r := rand.New(rand.NewPCG(seed, 3))
	row := rowNamed(productRows[seed%uint64(len(productRows))])
	near := func(edges []int, most int) int {
		n := edges[r.IntN(len(edges))] + r.IntN(3) - 1
		if r.IntN(8) == 0 || n > most {
			return 1
		}
		return n
	}
	vars := map[string]int{}
	// The dimension that is drawn first may be large.
	left := mostWork
	dims := []struct {
		name  string
		edges []int
	}{{"M", Edges.Rows}, {"N", Edges.Cols}, {"K", Edges.Chain}}
	for _, i := range r.Perm(len(dims)) {
		n := near(dims[i].edges, left)
		vars[dims[i].name] = n
		left /= n
	}
	vars["BM"] = 8 << r.IntN(4)
	vars["BN"] = 16 << r.IntN(3)
	vars["BK"] = 32 << r.IntN(3)
	ops := row.EachOp()
	d, op := row.Types[r.IntN(len(row.Types))], ops[r.IntN(len(ops))]
	return kerneltest.Case{Row: row, D: d, Op: op, Shape: Shape{Vars: vars}}
}

func rowNamed(name string) *Row {
	rows := Rows()
	return rows[slices.IndexFunc(rows, func(r *Row) bool { return r.Name == name })]
}

// CaseOf is a launch of a row by name.
func CaseOf(row, d, op string, vars map[string]int) kerneltest.Case {
	return kerneltest.Case{Row: rowNamed(row), D: kerneltest.MustParse(d), Op: op, Shape: Shape{Vars: vars}}
}
