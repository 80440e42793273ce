package micro

import (
	"sync"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Key names a piece of the code of products: of operands of a type, for chains of
// a type.
type Key struct {
	Kind     Kind
	From, To dtype.DType
	Vecs     int // registers of columns, if it depends on that
	Rows     int // of products with few
	Tier     *lir.Tier
	Tiles    bool // of a product in tile registers
	Across   bool // rows of A lie side by side
	Ends     product.Ending
}

// stepping is how the kernel takes steps by an instruction.
func (k Key) stepping(o asm.Op, c dot.Chain) stepping {
	return stepping{from: k.From, d: k.To, vecs: k.Vecs, op: o, chain: c, across: k.Across, ends: k.Ends}
}

type Kind uint8

const (
	MultiplyPiece Kind = iota
	PackPiece
	GatherPiece
	StripPiece
	PackBytesPiece
	RowSumsPiece
	MultiplyTurnsPiece
	MultiplyPairsPiece
	PackPairsPiece
	MoveGatherPiece
	CopyPiece
	TilesNearPiece
	TilesPastPiece
	PackTurnedPiece
	tileTrialPiece
	MultiplyBlocksPiece
	TurnPiece
	MultiplyPackPiece
	AcrossPiece
	TurnGroupsPiece
	ThinPiece
	ThinTurnedPiece
)

// pieceCode writes them.
var pieceCode = [...]func(k Key) *writer{
	MultiplyPiece: func(k Key) *writer {
		return kernelCode(k.stepping(multiplyAdd(k.To), dot.Ascending), k.Tier)
	},
	PackPiece:      func(k Key) *writer { return packCode(k.From, k.To, k.Vecs, k.Tier) },
	GatherPiece:    func(k Key) *writer { return gatherCode(k.From, k.To, k.Tier) },
	StripPiece:     func(k Key) *writer { return stripCode(k.From, k.To, k.Tier) },
	PackBytesPiece: func(k Key) *writer { return packBytesCode(Groups(k.Tiles, k.Vecs), !k.Tiles) },
	RowSumsPiece:   func(Key) *writer { return rowSumsCode() },
	MultiplyTurnsPiece: func(k Key) *writer {
		return kernelCode(k.stepping(multiplyAdd(k.To), dot.Pairs), k.Tier)
	},
	MultiplyPairsPiece: func(k Key) *writer {
		return kernelCode(k.stepping(asm.VDPBF16PS, dot.Ascending), k.Tier)
	},
	PackPairsPiece:  func(k Key) *writer { return packPairsCode(Groups(k.Tiles, k.Vecs)) },
	MoveGatherPiece: func(k Key) *writer { return gatherCode(k.From, k.From, k.Tier) },
	CopyPiece:       func(Key) *writer { return stripBytesCode() },
	TilesNearPiece:  func(k Key) *writer { return tilesKernelCode(tileProduct(k.From), false, nil) },
	TilesPastPiece:  func(k Key) *writer { return tilesKernelCode(tileProduct(k.From), true, nil) },
	PackTurnedPiece: func(k Key) *writer {
		return packTurnedCode(Groups(k.Tiles, k.Vecs), !k.Tiles && k.To == dtype.Int32)
	},
	tileTrialPiece: func(Key) *writer { return tileTrialCode() },
	MultiplyBlocksPiece: func(k Key) *writer {
		return kernelCode(k.stepping(multiplyAdd(k.To), dot.Tiles), k.Tier)
	},
	MultiplyPackPiece: func(k Key) *writer {
		return kernelCode(stepping{d: k.To, vecs: k.Vecs, op: multiplyAdd(k.To), packs: k.From, across: k.Across}, k.Tier)
	},
	TurnPiece:       func(k Key) *writer { return turnCode(k.From, k.To, k.Tier) },
	TurnGroupsPiece: func(k Key) *writer { return turnGroupsCode(k.From) },
	ThinTurnedPiece: func(k Key) *writer { return thinTurnedCode(k.Rows, k.From, k.To, k.Tier) },
	ThinPiece:       func(k Key) *writer { return thinCode(k.Rows, k.From, k.To, k.Tier) },
	AcrossPiece:     func(k Key) *writer { return acrossCode(k.From, k.To, k.Tier) },
}

// FinishedTiles is the code of a product in tiles that makes results of sums, of one product alone.
func FinishedTiles(from dtype.DType, past bool, f *product.Finish, listing bool) (*frame.Piece, error) {
	return frame.NewPiece(tilesKernelCode(tileProduct(from), past, f).Unit, listing)
}

// pieces are those that have been made. There are only so many of them.
var pieces struct {
	mu   sync.Mutex
	made map[Key]*frame.Piece
}

// Shared is a piece, made once in a process; with a listing it is made anew.
func Shared(k Key, listing bool) (*frame.Piece, error) {
	if listing {
		return frame.NewPiece(pieceCode[k.Kind](k).Unit, true)
	}
	pieces.mu.Lock()
	defer pieces.mu.Unlock()
	if p := pieces.made[k]; p != nil {
		return p, nil
	}
	p, err := frame.NewPiece(pieceCode[k.Kind](k).Unit, false)
	if err != nil {
		return nil, err
	}
	if pieces.made == nil {
		pieces.made = map[Key]*frame.Piece{}
	}
	pieces.made[k] = p
	return p, nil
}
