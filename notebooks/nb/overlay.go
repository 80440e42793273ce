package nb

import (
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/show"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Part is a tile of pointers in an overlay.
type Part struct {
	Ptr  tl.Tile
	Mask tl.Tile // the zero Tile if there is none
	Name string
}

// Overlay shows where tiles of pointers lie in the tensors that they point into, each in
// a colour and with a letter of its own. It takes tiles of pointers, Parts, and what Each
// gives.
func Overlay(parts ...any) {
	var list []show.Access
	add := func(p Part) { list = append(list, show.Access{Ptr: p.Ptr, Mask: p.Mask, Name: p.Name}) }
	for i, p := range parts {
		switch p := p.(type) {
		case Part:
			add(p)
		case []Part:
			for _, q := range p {
				add(q)
			}
		case tl.Tile:
			add(Part{Ptr: p})
		default:
			Fail(fmt.Errorf("nb.Overlay: argument %d is %T, want a tile of pointers, nb.Part or what nb.Each gives", i+1, p))
			return
		}
	}
	display(show.Pointers(list, options()), "")
}

// Pointer is what a kernel's parameter for a tensor is: a pointer to its first element,
// under a name.
func Pointer(x *tensor.Tensor, name string) tl.Ptr { return tl.PointerTo(x, name, nil) }

// Each is a part for each program instance of a grid: what of computes for it. Only loads
// and stores need a launch; pointers and masks can be computed anywhere.
func Each(grid exec.Grid, of func(p *tl.Program) Part) (parts []Part) {
	num := [3]int{1, 1, 1}
	copy(num[:], grid)
	for i := range num[0] {
		for j := range num[1] {
			for k := range num[2] {
				id := [3]int{i, j, k}
				part := of(tl.NewProgram(id, num, nil))
				if part.Name == "" {
					part.Name = fmt.Sprint("program (", strings.Trim(strings.ReplaceAll(fmt.Sprint(id[:max(1, len(grid))]), " ", ","), "[]"), ")")
				}
				parts = append(parts, part)
			}
		}
	}
	return parts
}
