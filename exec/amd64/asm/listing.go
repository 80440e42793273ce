package asm

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// Line is one emitted instruction.
type Line struct {
	Off, Len int // bytes from the start of the code
	Inst     Inst
	Tag      int32 // what SetTag said when it was emitted
}

// SetTag makes the following instructions carry tag in the listing: a source position, say.
func (a *Assembler) SetTag(tag int32) { a.tag = tag }

// Listing is what was emitted since Reset, if KeepListing was set. It is valid until Reset.
func (a *Assembler) Listing() []Line { return a.lines }

// WriteListing writes the finished code as text, one instruction a line with its offset and bytes, labels where
// they are bound, and the constants. If note is not nil, it gives a comment for each tag, which is
// written when it changes.
func (a *Assembler) WriteListing(w io.Writer, note func(tag int32) string) error {
	return a.WriteUnder(w, nil, note)
}

// WriteUnder is WriteListing with headings: if head is not nil, it gives the lines that stand above
// the instructions of a tag, and is asked for where the tag changes.
func (a *Assembler) WriteUnder(w io.Writer, head, note func(tag int32) string) error {
	code, err := a.Finish()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	labels := a.labelsByOffset()
	last, above := "", int32(-1)
	for _, l := range a.lines {
		if head != nil && l.Tag != above {
			fmt.Fprintln(out, head(l.Tag))
			above = l.Tag
		}
		for len(labels) > 0 && labels[0].off <= l.Off {
			fmt.Fprintf(out, "L%d:\n", labels[0].label)
			labels = labels[1:]
		}
		comment := ""
		if note != nil {
			if s := note(l.Tag); s != last {
				comment, last = "; "+s, s
			}
		}
		text := fmt.Sprintf("%6x  %-22x  %s", l.Off, code[l.Off:l.Off+l.Len], Print(l.Inst))
		if comment == "" {
			fmt.Fprintln(out, text)
		} else {
			fmt.Fprintf(out, "%-80s %s\n", text, comment)
		}
	}
	for _, l := range labels {
		fmt.Fprintf(out, "L%d:\n", l.label)
	}
	for i, c := range a.pool.consts {
		fmt.Fprintf(out, "%6x  const%d: %x\n", c.off, i, c.data[:c.size])
	}
	return out.Flush()
}

type boundLabel struct{ label, off int }

func (a *Assembler) labelsByOffset() []boundLabel {
	var s []boundLabel
	for i, off := range a.labels {
		if off != unbound {
			s = append(s, boundLabel{i, int(off)})
		}
	}
	slices.SortStableFunc(s, func(x, y boundLabel) int { return x.off - y.off })
	return s
}
