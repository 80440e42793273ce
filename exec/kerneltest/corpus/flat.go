package corpus

import (
	"github.com/tiler-go/tiler/exec/kerneltest/kernels"
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/ended"
	"github.com/tiler-go/tiler/exec/kerneltest/kernels/plane"
	tl "github.com/tiler-go/tiler/tilelang"
)

// runs is flat elements in rows around the least that are taken run by run, and around blocks.
var runs = func() (list []Shape) {
	for i, cols := range []int{15, 16, 17, 49, 64, 100, 257, 3000, 12, 11} {
		for j, mask := range masks {
			block := []int{64, 128, 1024}[(i+j)%3]
			n := cols*(2+j) + i // which ends within a row
			if mask == "" {
				n = block * (1 + j + i%3)
			}
			list = append(list, Shape{Mask: mask, Vars: map[string]int{"n": n, "cols": cols, "BLOCK": block}})
		}
	}
	return list
}()

// flat is elements that are numbered through rows.
func flat(name, ops string, types []tl.DType, serial bool) Row {
	return Row{
		Name: name, Fn: kernels.Flat, Types: types, Ops: ops, Shapes: runs, Fails: ops == "beyond", Serial: serial,
		Args: "x y:cols*4 i z m n cols BLOCK MASK OP", Grid: "n/BLOCK",
	}
}

// peaks is the greatest of elements around each, and where they are.
func peaks(name, ops string, types []tl.DType, fails bool) Row {
	return Row{
		Name: name, Fn: plane.Peaks, Types: types, Ops: ops, Shapes: runs, Fails: fails, Serial: fails,
		Args: "x y:cols*4 z i@i32:n m n cols BLOCK MASK OP", Grid: "n/BLOCK",
	}
}

// planes is such elements of planes, or ones that are found by an index which lies in memory.
func planes(name string, fn any, ops string, fails bool) Row {
	types := []tl.DType{tl.Float32, tl.BFloat16, tl.Uint8}
	if fails {
		types = f32
	}
	return Row{
		Name: name, Fn: fn, Types: types, Ops: ops, Shapes: runs, Fails: fails, Serial: fails,
		Args: "x y:cols*4 z m n cols BLOCK MASK OP", Grid: "n/BLOCK",
	}
}

// following is all pairs of comparisons, with limits that lie side by side, the same, or apart, and at ends of -2 to 2.
func following() []Shape {
	var rows [][]int
	for i := range 36 {
		for j, apart := range []int{-1, 0, 1} {
			a, cols := (i+j+i/6)%5-2, []int{25, 16, 40}[(i+j)%3]
			rows = append(rows, []int{cols*(5+i%3) + i, cols, (i+j)%3 - 1, 128, a, a + apart*(1+i%2), i / 6, i % 6})
		}
	}
	list := numbered("n cols limit BLOCK A B F S", rows)
	for i := range list {
		list[i].Mask = []string{"n", "range"}[i%2]
	}
	return list
}

// around is elements that lie around each other in rows.
func around(name, ops string, types []tl.DType, fails bool) Row {
	return Row{
		Name: name, Fn: plane.Around, Types: types, Ops: ops, Shapes: runs, Fails: fails, Serial: fails,
		Args: "x z m n cols BLOCK MASK OP", Grid: "n/BLOCK",
	}
}

// channelShapes is images, channels, elements of a plane, of a channel, and of a block, which ends within runs or not.
var channelShapes = numbered("N C w n X R", [][]int{
	{1, 1, 16, 16, 1, 32}, {3, 3, 16, 31, 2, 32}, {5, 3, 17, 70, 4, 64}, {8, 5, 49, 392, 4, 128},
	{4, 3, 100, 299, 2, 64}, {6, 2, 15, 60, 2, 32}, {5, 4, 7, 21, 4, 32}, {3, 2, 300, 299, 2, 256},
	{7, 8, 33, 150, 8, 64}, {4, 3, 1, 2, 2, 32}, {3, 3, 49, 0, 4, 64}, {3, 2, 64, 64, 2, 64}, {40, 2, 16, 600, 2, 16},
})

// channels is sums of elements that are numbered through images.
func channels(name, ops, x string, fails bool) Row {
	r := Row{
		Name: name, Fn: plane.Channels, Types: []tl.DType{tl.Float32, tl.Int32}, Ops: ops, Fails: fails, Serial: fails,
		Args: x + " i@i32:C z:C C w n X R OP", Grid: "C/X", Shapes: channelShapes,
	}
	if fails {
		r.Types, r.Shapes = f32, r.Shapes[3:5]
	}
	return r
}

// butterflies is rows that lie apart, close to each other, over each other, or backwards.
var butterflies = Row{
	Name: "Butterflies", Fn: plane.Butterflies, Types: numbers, Ops: "out place one swapped behind turned", Grid: "n/BLOCK",
	Args: "x:size z:size n from half pitch gap BLOCK OP",
	Shapes: numbered("size n from half pitch gap BLOCK", [][]int{
		{256, 128, 0, 16, 32, 16, 128}, {256, 128, 0, 16, 32, 16, 64}, {300, 120, 5, 64, 130, 65, 128},
		{256, 100, 0, 16, 16, 0, 128},
		{256, 100, 0, 16, 20, 16, 128}, {300, 128, 0, 32, 64, 8, 128}, {300, 128, 20, 16, 36, -20, 128},
		{300, 128, 20, 16, 30, -16, 128},
		{200, 128, 0, 16, 0, 16, 128}, {200, 128, 150, 16, -20, 16, 128}, {400, 130, 0, 130, 0, 200, 256},
		{300, 60, 0, 12, 24, 12, 64},
	}),
}

// turns is rows of which several lanes in turn take an element.
func turns(name, ops string, fails bool) Row {
	r := Row{
		Name: name, Fn: plane.Turns, Ops: ops, Fails: fails, Serial: fails,
		Args: "x:n*w z:n*cols m@bool:cols n cols w R BLOCK BY MASK OP", Grid: "n/R cols/BLOCK",
		Types: []tl.DType{tl.Uint8, tl.Float32, tl.BFloat16, tl.Int16, tl.Float16, tl.Float64},
	}
	for i, s := range [][]int{ // n, cols, R, BLOCK, BY
		{5, 64, 4, 32, 2}, {3, 100, 1, 128, 4}, {33, 30, 16, 16, 8}, {2, 257, 2, 256, 32}, {4, 7, 4, 8, 2},
		{1, 96, 2, 48, 16}, {9, 128, 8, 64, 64}, {16, 31, 16, 32, 3},
	} {
		for j, mask := range masks[1:] {
			if by := s[4] << ((i + j) % 2); s[3]%by == 0 || s[4] == 3 {
				r.Shapes = append(r.Shapes, Shape{Mask: mask, Vars: map[string]int{
					"n": s[0], "cols": s[1], "w": s[1]/by + 1, "R": s[2], "BLOCK": s[3], "BY": by,
				}})
			}
		}
	}
	return r
}

// falling is matrices by tiles of columns by rows.
func falling(name, ops string, types []tl.DType, fails bool) Row {
	r := Row{
		Name: name, Fn: plane.Falling, Types: types, Ops: ops, Fails: fails, Serial: true,
		Args: "x:n*w i@i32:n z:n*w m@bool:cols n cols w X R MASK OP", Grid: "cols/X",
	}
	for i, s := range [][]int{ // n, cols, w, X, R
		{8, 64, 64, 32, 4}, {5, 40, 48, 16, 8}, {33, 100, 100, 64, 40}, {1, 17, 17, 32, 2}, {70, 31, 32, 16, 64},
		{9, 48, 50, 24, 3}, {20, 30, 64, 8, 32},
	} {
		for j, mask := range masks[1:] {
			if (i+j)%2 == 0 {
				r.Shapes = append(r.Shapes, Shape{Mask: mask, Vars: map[string]int{
					"n": s[0], "cols": s[1], "w": s[2], "X": s[3], "R": s[4],
				}})
			}
		}
	}
	return r
}

// embedded are n rows of D elements, of as many as there are.
var embedded = func() (list []Shape) {
	for _, mask := range []string{"prefix", "range"} {
		for _, s := range numbered("n rows D BLOCK", [][]int{
			{9, 4, 64, 256}, {5, 7, 32, 64}, {3, 1, 128, 128}, {2, 3, 256, 128}, {7, 5, 48, 96}, {1, 2, 64, 192},
		}) {
			list = append(list, Shape{Mask: mask, Vars: s.Vars})
		}
	}
	return list
}()

// picked is rows of D elements, in blocks that lie within one or do not, and end with n.
var picked = func() (list []Shape) {
	for i, s := range numbered("n rows D BLOCK G", [][]int{
		{100, 3, 64, 32, 5}, {64, 1, 64, 64, 2}, {250, 2, 128, 128, 2}, {1, 3, 32, 16, 3}, {0, 2, 16, 16, 2},
		{127, 2, 64, 32, 4}, {200, 4, 64, 128, 2},
	}) {
		for j, mask := range masks[1:] {
			if mask == "prefix" || (i+j)%2 == 0 {
				list = append(list, Shape{Mask: mask, Vars: s.Vars})
			}
		}
	}
	return list
}()

// pickedRows is such rows by numbers that lie in memory.
func pickedRows(name, ops string, types []tl.DType, fails bool) Row {
	return Row{
		Name: name, Fn: plane.Picked, Types: types, Ops: ops, Shapes: picked, Fails: fails, Serial: fails,
		Args: "x:rows*D i:rows z:rows*D m:rows*D n rows D BLOCK MASK OP", Grid: "G",
	}
}

// chosen is elements by numbers that are chosen by a mask.
func chosen(name, ops string, types []tl.DType, fails bool) Row {
	return Row{
		Name: name, Fn: plane.Chosen, Types: types, Ops: ops, Shapes: vectors[6:36], Fails: fails, Serial: fails,
		Args: "x z m n BLOCK MASK OP", Grid: "n/BLOCK",
	}
}

// oneRow is such elements of a tile of one row.
func oneRow(name, ops string, types []tl.DType, fails bool) Row {
	return Row{
		Name: name, Fn: plane.OneRow, Types: types, Ops: ops, Shapes: runs[6:20], Fails: fails, Serial: fails,
		Args: "x y:cols*4 z m n cols 1 BLOCK MASK OP", Grid: "n/BLOCK",
	}
}

// transferred is rows that end anywhere in a block, of tensors that may be one.
func transferred(name, tensors string) Row {
	return Row{
		Name: name, Fn: ended.Transferred, Args: tensors + " cols w R BLOCK OP", Grid: "3", Serial: true, Fails: true,
		Ops: "row within onward back rows upward fewer beyond outside", Types: []tl.DType{tl.Float32, tl.Uint8, tl.Float64},
		Shapes: numbered("cols w R BLOCK", [][]int{{0, 2, 1, 256}, {1, 3, 3, 300}, {3, 9, 5, 256}, {7, 8, 1, 64},
			{9, 12, 3, 32}, {17, 18, 4, 256}, {100, 102, 3, 128}, {33, 40, 3, 64}, {255, 256, 3, 300}})}
}

// upsampled is a row of plane.Upsampled, or of one row a program.
func upsampled(name string, fn any, ops string, fails bool) Row {
	return Row{
		Name: name, Fn: fn, Types: []tl.DType{tl.Float32, tl.BFloat16, tl.Int8, tl.Float64}, Ops: ops, Fails: fails,
		Args: "x:R*n*3 z@f32:R*w*3 n w S K R B OP", Grid: "3",
		Shapes: numbered("n w S K R B", [][]int{
			{28, 55, 2, 1, 1, 64}, {28, 57, 2, 2, 2, 64}, {7, 25, 4, 3, 3, 32}, {10, 60, 8, 9, 1, 64}, {1, 3, 2, 1, 2, 8},
			{20, 39, 2, 0, 4, 40}, {9, 24, 3, 1, 2, 32}, {16, 33, 2, 3, 1, 36}, {0, 4, 2, 1, 1, 16}, {33, 66, 2, 1, 5, 128},
		}),
	}
}

// flats are kernels that find rows and columns by division.
var flats = []Row{
	flat("Flat", "bias rows joined limits elsewhere twice wide far ends backwards apart mixed picked nearest padded "+
		"dilated shared itself", []tl.DType{tl.Float32, tl.BFloat16, tl.Uint8, tl.Float64}, false),
	flat("FlatBeyond", "beyond", f32, true),
	peaks("Peaks", "line rows apart wider spread thirds",
		[]tl.DType{tl.Float32, tl.BFloat16, tl.Uint8, tl.Float64, tl.Int32}, false),
	peaks("PeaksBeyond", "beyond turned", f32, true),
	planes("Planes", plane.Rows, "planes cubes heads counted below wide fixed turned rolled repeats wrapped ratios", false),
	planes("Sides", plane.Sides, "above below one number held wraps picked itself all", false),
	planes("RolledRows", plane.Rolled, "onward back once ring into carried again divided masked wide fixed "+
		"negative wraps whole planes", false),
	planes("RolledRowsBeyond", plane.Rolled, "beyond nothing", true),
	planes("JoinedRows", plane.Joined, "sum three four unlike rows everywhere two limits nowhere lowest", false),
	planes("JoinedRowsOver", plane.Joined, "before after", false),
	planes("PartsOfRows", plane.Parts, "three four gap common equal never limits ends", false),
	{
		Name: "PartsThatFollow", Fn: plane.Follow, Types: f32, Shapes: following(), Ops: "numbers same mixed both",
		Args: "x y:cols*5 z m n cols limit BLOCK A B F S MASK OP", Grid: "n/BLOCK",
	},
	planes("PartsOfRowsBeyond", plane.Parts, "beyond outside", true),
	planes("JoinedRowsBeyond", plane.Joined, "beyond unmasked zero limited masked other", true),
	transferred("Transferred", "x:w*R*3 z:w*R*3"), transferred("TransferredOver", "xx:w*R*3"),
	planes("PlanesBeyond", plane.Rows, "none apart nothing more", true),
	planes("RowHalves", plane.Halves, "swapped numbered thirds wide wraps unlike uneven counted deep cut known", false),
	planes("RowHalvesBeyond", plane.Halves, "beyond beneath nothing", true),
	planes("KeptIndex", plane.Kept, "halves rolled clamped", false),
	planes("KeptIndexBeyond", plane.Kept, "short beyond", true),
	around("Around", "sum chain cols minus wide signed negative apart turned",
		[]tl.DType{tl.Float32, tl.BFloat16, tl.Uint8, tl.Float64}, false),
	around("AroundBeyond", "beyond far", f32, true),
	turns("Turns", "stored twice scan back pieces turned loop steps late", false),
	turns("TurnsBeyond", "over", true),
	falling("Falling", "summed index quotients numbered carried within branches both once scanned meets across",
		[]tl.DType{tl.Float32, tl.BFloat16, tl.Int32, tl.Uint8}, false),
	falling("FallingBeyond", "beyond", f32, true),
	{
		Name: "Skewed", Fn: plane.Skewed, Types: []tl.DType{tl.Float32, tl.Int16}, Args: "x:R*w z:R*w w X R OP",
		Grid:   "1",
		Ops:    "sum most running line carried branch index counted none",
		Shapes: numbered("w X R", [][]int{{16, 16, 4}, {40, 32, 8}}),
	},
	{
		Name: "Embedded", Fn: plane.Embedded, Types: []tl.DType{tl.Float32, tl.BFloat16, tl.Int8, tl.Int64},
		Args: "x:rows*D i@i32:n z:n*D n rows D BLOCK MASK", Grid: "n*D/BLOCK", Shapes: embedded,
	},
	{
		Name: "Taken", Fn: plane.Taken, Ops: "row ends last late wraps swapped",
		Types: []tl.DType{tl.Float32, tl.Uint8, tl.BFloat16, tl.Float64}, Shapes: vectors[6:],
		Args: "x:n*2 i z m n BLOCK MASK OP", Grid: "1", Serial: true,
	},
	{
		Name: "PlanesInTurn", Fn: plane.InTurn, Types: []tl.DType{tl.Float32, tl.Int8}, Serial: true,
		Args: "x:n/4 y:n/4 w:n/2 z n cols BLOCK", Grid: "n/BLOCK",
		Shapes: numbered("n cols BLOCK", [][]int{{4, 1, 16}, {68, 17, 64}, {784, 49, 256}, {2000, 100, 1024}}),
	},
	planes("Moved", plane.Moved, "repeated reflected backwards rows ahead far planes onward", false),
	planes("MovedBeyond", plane.Moved, "negative beneath above first last", true),
	{
		Name: "FlatSums", Fn: kernels.FlatSums, Types: []tl.DType{tl.Float32, tl.Int32}, Shapes: runs, Serial: true,
		Args: "x i z:cols*4 m n cols 4 BLOCK MASK", Grid: "n/BLOCK",
	},
	{
		Name: "FlatSumsBeyond", Fn: kernels.FlatSums, Types: i32, Shapes: runs, Serial: true, Fails: true,
		Args: "x i z:cols*4 m n cols 5 BLOCK MASK", Grid: "n/BLOCK",
	},
	oneRow("OneRow", "row first carried scanned summed rows turned added falling deep",
		[]tl.DType{tl.Float32, tl.Int32}, false),
	oneRow("OneRowBeyond", "beyond", f32, true),
	pickedRows("PickedOnce", "row other others whole some all negative wraps stored",
		[]tl.DType{tl.Float32, tl.Int32, tl.Int64, tl.Float64}, false),
	pickedRows("PickedOnceBeyond", "beyond missing", f32, true),
	chosen("ChosenPlaces", "row atleast above either square rows", []tl.DType{tl.Float32, tl.Uint8, tl.Float64}, false),
	chosen("ChosenPlacesBeyond", "same beyond beneath", f32, true),
	butterflies,
	channels("Channels", "all wide around loaded late lanes twice valued", "x:N*C*w", false),
	channels("ChannelsFar", "far", "x:N*C*w*4", false),
	channels("ChannelsBeyond", "beyond beneath negative wraps zero", "x:N*C*w", true),
	{
		Name: "Channel", Fn: plane.Channel, Types: append(f32, tl.BFloat16, tl.Int8, tl.Float64), Ops: "all quotients",
		Args: "x:N*C*w z:C*R C w n R OP", Grid: "C", Shapes: channelShapes,
	},
	{
		Name: "WideBase", Fn: plane.WideBase, Types: append(f32, tl.Int8, tl.Float64), Args: "x:43 z:192 n far", Grid: "1",
		Shapes: numbered("n far", [][]int{{32, 1 << 31}, {0, 1 << 31}, {60, 1 << 31}}),
	},
	upsampled("Upsampled", plane.Upsampled, "usual other twice onward", false),
	upsampled("UpsampledBeyond", plane.Upsampled, "open beneath", true),
	upsampled("UpsampledRow", plane.UpsampledRow, "usual", false),
	{
		Name: "UpsampledSum", Fn: plane.UpsampledSum, Types: []tl.DType{tl.Int8}, Args: "x:n z@f32:B n S B", Grid: "1",
		Shapes: numbered("n S B", [][]int{{12, 2, 24}, {6, 4, 24}, {5, 8, 40}, {8, 2, 16}}),
	},
	upsampled("UpsampledRowBeyond", plane.UpsampledRow, "beneath", true),
	{ // memory that x and z share
		Name: "FlatMoved", Fn: kernels.FlatMoved, Types: f32, Shapes: runs, Serial: true,
		Args: "xz m n cols BLOCK MASK", Grid: "n/BLOCK",
	},
	{
		Name: "FewColumns", Fn: plane.FewColumns, Types: all, Args: "x:rows*cols z:rows*8 rows cols pitch R C OP",
		Grid: "1", Ops: "columns turned backwards", Shapes: numbered("rows cols pitch R C", [][]int{
			{1, 1, 1, 64, 2}, {64, 3, 3, 64, 4}, {63, 3, 5, 64, 4}, {100, 4, 4, 128, 4}, {127, 2, 2, 128, 2},
			{90, 3, 2, 128, 4}, {65, 4, 7, 128, 4}, {50, 3, 1, 64, 3},
		}),
	},
}
