package gemm

import (
	"fmt"
	"io"
)

// WriteListing writes the parts of a matrix product.
func (p *Product) WriteListing(w io.Writer) error {
	fmt.Fprintln(w, ";; the whole grid as one matrix product, where a launch's arguments allow it")
	for _, part := range []struct {
		name string
		p    *part
	}{
		{fmt.Sprintf("sums of a block of %d × %d", p.t.Rows, p.t.Cols), &p.kernel.part},
		{"the same for the first rows, which puts the second operand into panels on its way", &p.first.part},
		{"the same where the chain ends, which makes results of the sums", &p.ends.part},
		{"the same in tiles, which makes results of the sums as they move", &p.finished[tilesNear]},
		{"the second operand into panels, contiguous along its rows", &p.packs.straight},
		{"the second operand into panels, contiguous along the chain", &p.packs.turned},
		{"the second operand into panels, any strides", &p.packs.gather},
		{"the first operand into strips, contiguous along its rows", &p.strips.straight},
		{"the first operand into strips, any strides", &p.strips.gather},
		{"sums, where rows of the first operand lie side by side", &p.kernel.across},
		{"the first operand into strips, where its rows lie side by side", &p.strips.turned},
	} {
		if part.p.Make == nil {
			continue
		}
		fmt.Fprintf(w, "\n;; %s\n", part.name)
		if err := part.p.Get().Lines.WriteListing(w, nil); err != nil {
			return err
		}
	}
	return nil
}
