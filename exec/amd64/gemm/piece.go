package gemm

import (
	"sync"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A part is a piece that is made when it is first asked for.
type part = frame.Part[*frame.Piece]

// A pieceKey names a piece of the code of products: of operands of a type, for chains of
// a type.
type pieceKey struct {
	kind     pieceKind
	from, to dtype.DType
	vecs     int // registers of columns, if it depends on that
	rows     int // of products with few
	tier     *lir.Tier
	tiles    bool // of a product in tile registers
	across   bool // rows of A lie side by side
	ends     product.Ending
}

// stepping is how the kernel takes steps by an instruction.
func (k pieceKey) stepping(o asm.Op, c dot.Chain) stepping {
	return stepping{from: k.from, d: k.to, vecs: k.vecs, op: o, chain: c, across: k.across, ends: k.ends}
}

type pieceKind uint8

const (
	multiplyPiece pieceKind = iota
	packPiece
	gatherPiece
	stripPiece
	packBytesPiece
	rowSumsPiece
	multiplyTurnsPiece
	multiplyPairsPiece
	packPairsPiece
	moveGatherPiece
	copyPiece
	tilesNearPiece
	tilesPastPiece
	packTurnedPiece
	tileTrialPiece
	multiplyBlocksPiece
	turnPiece
	multiplyPackPiece
	acrossPiece
	turnGroupsPiece
	thinPiece
	thinTurnedPiece
)

// pieceCode writes them.
var pieceCode = [...]func(k pieceKey) *writer{
	multiplyPiece: func(k pieceKey) *writer {
		return kernelCode(k.stepping(multiplyAdd(k.to), dot.Ascending), k.tier)
	},
	packPiece:      func(k pieceKey) *writer { return packCode(k.from, k.to, k.vecs, k.tier) },
	gatherPiece:    func(k pieceKey) *writer { return gatherCode(k.from, k.to, k.tier) },
	stripPiece:     func(k pieceKey) *writer { return stripCode(k.from, k.to, k.tier) },
	packBytesPiece: func(k pieceKey) *writer { return packBytesCode(groups(k.tiles, k.vecs), !k.tiles) },
	rowSumsPiece:   func(pieceKey) *writer { return rowSumsCode() },
	multiplyTurnsPiece: func(k pieceKey) *writer {
		return kernelCode(k.stepping(multiplyAdd(k.to), dot.Pairs), k.tier)
	},
	multiplyPairsPiece: func(k pieceKey) *writer {
		return kernelCode(k.stepping(asm.VDPBF16PS, dot.Ascending), k.tier)
	},
	packPairsPiece:  func(k pieceKey) *writer { return packPairsCode(groups(k.tiles, k.vecs)) },
	moveGatherPiece: func(k pieceKey) *writer { return gatherCode(k.from, k.from, k.tier) },
	copyPiece:       func(pieceKey) *writer { return stripBytesCode() },
	tilesNearPiece:  func(k pieceKey) *writer { return tilesKernelCode(tileProduct(k.from), false) },
	tilesPastPiece:  func(k pieceKey) *writer { return tilesKernelCode(tileProduct(k.from), true) },
	packTurnedPiece: func(k pieceKey) *writer {
		return packTurnedCode(groups(k.tiles, k.vecs), !k.tiles && k.to == dtype.Int32)
	},
	tileTrialPiece: func(pieceKey) *writer { return tileTrialCode() },
	multiplyBlocksPiece: func(k pieceKey) *writer {
		return kernelCode(k.stepping(multiplyAdd(k.to), dot.Tiles), k.tier)
	},
	multiplyPackPiece: func(k pieceKey) *writer {
		return kernelCode(stepping{d: k.to, vecs: k.vecs, op: multiplyAdd(k.to), packs: k.from, across: k.across}, k.tier)
	},
	turnPiece:       func(k pieceKey) *writer { return turnCode(k.from, k.to, k.tier) },
	turnGroupsPiece: func(k pieceKey) *writer { return turnGroupsCode(k.from) },
	thinTurnedPiece: func(k pieceKey) *writer { return thinTurnedCode(k.rows, k.from, k.to, k.tier) },
	thinPiece:       func(k pieceKey) *writer { return thinCode(k.rows, k.from, k.to, k.tier) },
	acrossPiece:     func(k pieceKey) *writer { return acrossCode(k.from, k.to, k.tier) },
}

// pieces are those that have been made. There are only so many of them.
var pieces struct {
	mu   sync.Mutex
	made map[pieceKey]*frame.Piece
}

// shared is a piece, made once in a process; with a listing it is made anew.
func shared(k pieceKey, listing bool) (*frame.Piece, error) {
	if listing {
		return frame.NewPiece(pieceCode[k.kind](k).Unit, true)
	}
	pieces.mu.Lock()
	defer pieces.mu.Unlock()
	if p := pieces.made[k]; p != nil {
		return p, nil
	}
	p, err := frame.NewPiece(pieceCode[k.kind](k).Unit, false)
	if err != nil {
		return nil, err
	}
	if pieces.made == nil {
		pieces.made = map[pieceKey]*frame.Piece{}
	}
	pieces.made[k] = p
	return p, nil
}
