package trace

import (
	"slices"

	tl "github.com/tiler-go/tiler/tilelang"
)

// maxBlocks is how many blocks the footprints of a run hold at most.
const maxBlocks = 20_000

// A Footprint is what one program of a launch touches. All programs that ran have one,
// whether their steps are recorded or not.
type Footprint struct {
	ID      []int   `json:"id"`
	Touches []Touch `json:"touches"`
}

// A Touch is the elements of one tensor that a program reads, writes or updates. Elements
// are numbered row by row, and go on beyond the end as if the first dimension were longer.
type Touch struct {
	Arg    int     `json:"arg"`
	Kind   string  `json:"kind"`
	Blocks []Block `json:"blocks"`
}

// A Block is runs of elements, one as long as the other, at equal distances: first element,
// length of a run, distance, number of runs.
type Block [4]int64

// elements is the numbers of the elements that the active lanes point to, ascending.
func elements(a *tl.Access, states []byte) []int64 {
	x := a.Base.Tensor
	plain, shape := x.IsContiguous(), x.Shape()
	list := make([]int64, 0, len(states))
	for i, off := range a.Offsets {
		switch {
		case states[i] == Masked || off < 0:
			continue
		case plain:
			list = append(list, off)
			continue
		}
		if index := a.Base.Index(off); index != nil {
			n := int64(0)
			for d, k := range index {
				n = n*int64(shape[d]) + int64(k)
			}
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// blocks is ascending numbers as blocks.
func blocks(list []int64) []Block {
	var out []Block
	for i := 0; i < len(list); {
		start := list[i]
		n := int64(1)
		for i++; i < len(list) && list[i] == start+n; i++ {
			n++
		}
		if len(out) > 0 {
			last := &out[len(out)-1]
			by := start - last[0] - (last[3]-1)*last[2]
			if last[1] == n && (last[3] == 1 || by == last[2]) {
				last[2], last[3] = by, last[3]+1
				continue
			}
		}
		out = append(out, Block{start, n, 0, 1})
	}
	return out
}

// touch adds an access to a footprint, and returns how many blocks that are.
func (f *Footprint) touch(arg int, kind string, bs []Block) int {
	i := slices.IndexFunc(f.Touches, func(t Touch) bool { return t.Arg == arg && t.Kind == kind })
	if i < 0 {
		i = len(f.Touches)
		f.Touches = append(f.Touches, Touch{Arg: arg, Kind: kind})
	}
	added := 0
	for _, b := range bs {
		if !slices.Contains(f.Touches[i].Blocks, b) {
			f.Touches[i].Blocks = append(f.Touches[i].Blocks, b)
			added++
		}
	}
	return added
}
