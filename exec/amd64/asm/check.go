package asm

import "strings"

// refuses says why the row cannot carry the decorations of in, or nothing.
func (f *form) refuses(in *Inst, lens uint8) string {
	switch {
	case lens == 0:
		return "broadcast does not fit the operands"
	case in.Lock && (f.deco&dLock == 0 || !in.Args[0].IsMem()):
		return "lock is not allowed here"
	case in.Mask > 7:
		return "a write mask is one of k1-k7"
	case in.Mask != 0 && f.deco&dK == 0:
		return "takes no write mask"
	case in.Mask == 0 && f.deco&dMust != 0:
		return "needs a write mask"
	case in.Zeroing && (f.deco&dZ == 0 || in.Args[0].IsMem()):
		return "takes no zeroing"
	case in.Zeroing && in.Mask == 0:
		return "zeroing needs a write mask"
	case in.Encoding >= numEncodings:
		return "no such encoding"
	}
	if f.deco&dSIB != 0 && (in.Args[0].IsMem() && in.Args[0].isRIP() || in.Args[1].IsMem() && in.Args[1].isRIP()) {
		return "memory must have a base or an index"
	}
	if why := f.refusesRounding(in, lens); why != "" {
		return why
	}
	if f.deco&dDistinct != 0 && !f.distinct(in) {
		return "destination, index and mask must be different registers"
	}
	return ""
}

func (f *form) refusesRounding(in *Inst, lens uint8) string {
	switch {
	case in.Round == NoRounding:
		return ""
	case in.Round >= numRoundings:
		return "no such rounding"
	case in.Round == SAE && f.deco&dSAE == 0:
		return "takes no {sae}"
	case in.Round != SAE && f.deco&dER == 0:
		return "takes no embedded rounding"
	case in.Args[0].IsMem() || in.Args[1].IsMem() || in.Args[2].IsMem():
		return "embedded rounding needs register operands"
	case lens != 4 && !f.enc.scalar():
		return "embedded rounding needs 512-bit or scalar operands"
	}
	return ""
}

// distinct is the rule of gathers: the destination and the index must differ, and so
// must the mask where it is a vector register. All tiles of a product must differ.
func (f *form) distinct(in *Inst) bool {
	dst, index := in.Args[0].num(), in.Args[1].index()
	if f.pats[1] == pT {
		index = in.Args[1].num()
	}
	if f.lay == lRMV {
		mask := in.Args[2].num()
		return dst != index && dst != mask && index != mask
	}
	return dst != index
}

// bcastLens narrows lens to the lengths at which the broadcast operand has the stated count; 0 if the
// row has no broadcast of elements of the stated size.
func (f *form) bcastLens(in *Inst, lens uint8) uint8 {
	elem := f.deco.elem()
	for i, o := range in.Args {
		if o.kind() != kBcast {
			continue
		}
		if elem == 0 || o.elemLog() > 1 && 1<<o.elemLog() != elem {
			return 0
		}
		for l := range uint8(3) {
			if n := o.bcastLog(); n != 0 && 1<<memLog[f.pats[i]][l] != elem<<n {
				lens &^= 1 << l
			}
		}
	}
	return lens
}

// Needs is the set of CPU features that in needs, as it would be encoded, or an error if it cannot be.
func (in Inst) Needs() (Feature, error) {
	c, why := choose(&in)
	if why != "" {
		return 0, &Error{in, why}
	}
	return c.features(), nil
}

// noForm explains that no row of the op takes the operands, and what the rows take.
func noForm(in *Inst) string {
	if in.Op == 0 || in.Op >= NumOps {
		return "no such op"
	}
	var want []string
	for i := opForms[in.Op]; i < opForms[in.Op+1]; i++ {
		var s []string
		for _, p := range forms[i].pats {
			if p != pNone {
				s = append(s, patRows[p].name)
			}
		}
		want = append(want, strings.Join(s, ", "))
	}
	return "no form with these operands; have " + strings.Join(want, " | ")
}
