package asm

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestOpsAreFresh: z_op.go lists the ops of the tables, in their order.
func TestOpsAreFresh(t *testing.T) {
	var want []string
	for _, name := range []string{"gpr", "branch", "move", "lane", "perm", "float", "convert", "int", "compare", "mask", "tile"} {
		f, err := parser.ParseFile(token.NewFileSet(), "table_"+name+".go", nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			row, ok := n.(*ast.CompositeLit)
			if ok && row.Type == nil && len(row.Elts) == 7 {
				if op := strings.ToLower(row.Elts[0].(*ast.Ident).Name); len(want) == 0 || want[len(want)-1] != op {
					want = append(want, op)
				}
			}
			return true
		})
	}
	if got := opNames[1:]; !slices.Equal(got, want) {
		t.Errorf("z_op.go is stale: run go generate\ngot  %v\nwant %v", got, want)
	}
}

// TestTable: rows are indexed by op, and say nothing that contradicts itself.
func TestTable(t *testing.T) {
	for op := Op(1); op < NumOps; op++ {
		if opForms[op] >= opForms[op+1] {
			t.Errorf("%v has no row", op)
		}
	}
	for i := range forms {
		f := &forms[i]
		if int(opForms[f.op]) > i || i >= int(opForms[f.op+1]) {
			t.Errorf("row %d of %v is not among its rows", i, f.op)
		}
		n, e := needs[f.needs], f.enc
		at := f.at
		for _, bad := range []struct {
			is   bool
			what string
		}{
			{e.is(evex) && n.evex == 0, "EVEX without a feature"},
			{e.is(vex) && n.vex == 0, "VEX without a feature"},
			{!e.is(evex) && f.deco&^(dLock|dDistinct|dSIB) != 0, "decorations without EVEX"},
			{f.deco&dLock != 0 && e.is(vex|evex), "lock outside legacy encoding"},
			{f.deco&dZ != 0 && f.deco&dK == 0, "zeroing without mask"},
			{f.deco&dMust != 0 && f.deco&dK == 0, "obligatory mask that is not allowed"},
			{f.deco&b32 != 0 && f.deco&b64 != 0, "two broadcasts"},
			{f.deco&b32 != 0 && e.is(ew1), "32-bit broadcast with W1"},
			{f.deco&b64 != 0 && !e.is(ew1), "64-bit broadcast with W0"},
			{f.deco.elem() != 0 && !patRows[f.pats[at.m&3]].bcast, "broadcast without a place for it"},
			{e.hasExt() && at.r != absent, "opcode extension and ModRM.reg operand"},
			{at.m != absent && at.r == absent && !e.hasExt(), "nothing in ModRM.reg"},
			{e.is(byteOp) && f.opcode&1 == 0, "byte opcode must be the one below"},
			{e.is(reverse) && !e.is(vex), "reverse without VEX"},
			{e.is(later) && e&(vex|evex) != vex|evex, "later without a choice"},
			{e.opcodeMap() == 0 && e.is(vex|evex), "no opcode map"},
		} {
			if bad.is {
				t.Errorf("row %d (%v): %s", i, f.op, bad.what)
			}
		}
	}
}

// TestSweepReachesAll: the systematic list uses every row, at every length, and every decoration that it allows.
func TestSweepReachesAll(t *testing.T) {
	type cell struct {
		lens       uint8
		enc        [2]bool
		mask, zero bool
		er, sae    bool
		bcast      bool
	}
	seen := make([]cell, len(forms))
	for _, in := range sweep() {
		row, _ := in.match()
		c, _ := choose(&in)
		s := &seen[row]
		s.lens |= 1 << c.length
		s.bcast = s.bcast || c.bcast
		s.mask = s.mask || in.Mask != 0
		s.zero = s.zero || in.Zeroing
		s.er = s.er || in.Round == RUp
		s.sae = s.sae || in.Round == SAE
		s.enc[0] = s.enc[0] || !c.evex
		s.enc[1] = s.enc[1] || c.evex
	}
	for i := range forms {
		f, s := &forms[i], &seen[i]
		want := cell{f.lens, [2]bool{!f.enc.is(evex) || f.enc.is(vex), f.enc.is(evex)}, f.deco&dK != 0, f.deco&dZ != 0,
			f.deco&dER != 0, f.deco&dSAE != 0, f.deco.elem() != 0}
		if f.lay != lRel && *s != want {
			t.Errorf("row %d (%v, %s): sweep has %+v, row has %+v", i, f.op, noForm(&Inst{Op: f.op}), *s, want)
		}
	}
}
