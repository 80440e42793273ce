package corpus

import (
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/ended"
	tl "github.com/tiler-go/tiler/tilelang"
)

// selections are none, some and all of elements that end within a block, and at its end.
func selections(far ...int) (list []Shape) {
	for i, s := range [][]int{
		{1, 1}, {7, 8}, {5, 16}, {33, 32}, {100, 128}, {128, 64}, {700, 512}, {3000, 1024}, {0, 32}, {96, 96}, {50, 40},
	} {
		for k := range 5 {
			list = append(list, Shape{Vars: map[string]int{
				"n": s[0], "B": s[1], "k": k, "rows": s[0]/s[1] + 1, "room": (s[0]/s[1] + 1) * s[1] * 4, "far": far[(i+k)%len(far)],
			}})
		}
	}
	return list
}

// packs are elements that are moved together.
var packs = []Row{
	{
		Name: "Packed", Fn: ended.Packed, Types: all, Serial: true,
		Ops:  "selected exclusive wide numbers same apart both also fewer kept some reversed backwards chosen rounds onto",
		Args: "x:n i:n z:room w@i32:room n k far B OP", Grid: "n/B", Shapes: selections(0, 1, 5),
	},
	{
		Name: "PackedBeyond", Fn: ended.Packed, Types: numbers, Fails: true, Serial: true,
		Ops:  "selected exclusive wide numbers apart both also fewer late moved kept some rounds",
		Args: "x:n i:n z:room w@i32:room n k far B OP", Grid: "n/B",
		Shapes: selections(-1, 1<<31-3, -1<<31, -9, 60, 1<<31-200),
	},
	{
		Name: "PackedGaps", Fn: ended.Packed, Types: numbers, Fails: true, Serial: true,
		Ops: "selected apart", Args: "x:n i:n v:rows:B*4:B*3:1 w@i32:room n k far B OP", Grid: "n/B",
		Shapes: selections(0, 1, 4),
	},
	{
		Name: "PackedFar", Fn: ended.PackedFar, Types: []tl.DType{tl.Float32, tl.Int64, tl.Uint8}, Fails: true, Serial: true,
		Ops: "back wide long pointer times", Args: "i@i32:n z:n*2 n k far B OP", Grid: "n/B",
		Shapes: selections(1<<31-9, 1<<31-1, -1<<31, 0, -1<<20),
	},
}
