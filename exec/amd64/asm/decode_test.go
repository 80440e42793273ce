package asm

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/arch/x86/x86asm"
)

// TestDecode has an independent decoder read the systematic list: lengths must agree, and the text after both
// sides are brought to one spelling.
func TestDecode(t *testing.T) {
	bad := 0
	for _, in := range sample() {
		if why := decodeDiff(in); why != "" {
			t.Error(why)
			if bad++; bad > 60 {
				t.FailNow()
			}
		}
	}
}

// decodeDiff compares in with what x86asm makes of its encoding; it returns what is wrong, or "".
func decodeDiff(in Inst) string {
	var a Assembler
	a.Append(&in)
	code, err := a.Finish()
	if err != nil {
		return err.Error()
	}
	d, err := x86asm.Decode(code, 64)
	if c, _ := choose(&in); c.features()&(HasAMXTILE|HasAMXINT8|HasAMXBF16) != 0 {
		if err == nil {
			return Print(in) + ": the decoder has learned it"
		}
		return "" // GNU as alone speaks for it
	}
	if err != nil {
		return Print(in) + ": " + err.Error()
	}
	if d.Len != len(code) {
		return Print(in) + ": decoder sees " + strconv.Itoa(d.Len) + " bytes of " + strconv.Itoa(len(code))
	}
	got, want := plainText(x86asm.IntelSyntax(d, 0, nil)), plainText(Print(in))
	for _, q := range quirks {
		got, want = q.re.ReplaceAllString(got, q.with), q.re.ReplaceAllString(want, q.with)
	}
	if got != want {
		return Print(in) + ": decoder sees " + got + ", want " + want
	}
	return ""
}

var (
	scaled     = regexp.MustCompile(`([a-z0-9]+)\*([1248])`)
	negative   = regexp.MustCompile(`,-(0x[0-9a-f]+)\b`) // immediates are compared as unsigned ones
	wideByte   = regexp.MustCompile(`,0xff([89a-f][0-9a-f])\b`)
	unsigned32 = regexp.MustCompile(`\+(0x[89a-f][0-9a-f]{7})\]`)
	roundLast  = regexp.MustCompile(`^(vcvtu?si.*),(\{.*\}),(\w+)$`)
	aliases    = strings.NewReplacer("setnb ", "setae ", "setz ", "sete ", "setnz ", "setne ", "setnbe ", "seta ",
		"setnl ", "setge ", "setnle ", "setg ", "cmovnb ", "cmovae ", "cmovz ", "cmove ", "cmovnz ", "cmovne ",
		"cmovnbe ", "cmova ", "cmovnl ", "cmovge ", "cmovnle ", "cmovg ", "movabs ", "mov ")
)

// quirks are what the decoder of x/arch does not show, or shows differently from GNU; both sides are
// brought to the form on the right, which says less.
var quirks = []struct {
	re   *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`^(prefetch\w+) \w+`), "$1 "},                 // size of the hint
	{regexp.MustCompile(`^(vpmovm2\w+ \w+).*`), "$1"},                 // source shown as a write mask, k0 not at all
	{regexp.MustCompile(`^vpextrw_c5`), "vpextrw"},                    // name of a second encoding
	{regexp.MustCompile(`^(vcvt[sp]s2[sp]d.*)\{rn-sae\}`), "$1{sae}"}, // does not round
	{regexp.MustCompile(`^(v.*),(\{[a-z-]+\}),(0x\w+)$`), "$1,$3,$2"}, // sae after the immediate
	{regexp.MustCompile(`^(v\w+ k.*)\{1to\d+\}`), "$1"},               // no broadcast with a mask destination
	{regexp.MustCompile(`^vcmp[a-z_]*?([ps][sd]) `), "vcmp$1 "},       // predicate in the name
	{regexp.MustCompile(`^(vcmp.*?),0x\w+`), "$1"},
	{regexp.MustCompile(`^(vcvt.* )[xyz](.*,)[xyz](.*)`), "$1$2$3"}, // lengths of narrowing conversions
	{regexp.MustCompile(`^(vcvt.*)\{1to\d+\}`), "$1"},
}

// plainText is one spelling for both printers.
func plainText(s string) string {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "{evex} "), "{vex} ")
	s = aliases.Replace(s)
	s = strings.ReplaceAll(s, "ptr [", "[")
	op, rest, _ := strings.Cut(s, " ")
	s = op + " " + strings.ReplaceAll(rest, " ", "")
	s = scaled.ReplaceAllStringFunc(s, func(m string) string {
		if r, n, _ := strings.Cut(m, "*"); n != "1" {
			return n + "*" + r
		} else {
			return r
		}
	})
	s = unsigned32.ReplaceAllStringFunc(s, func(m string) string {
		v, _ := strconv.ParseUint(m[1:len(m)-1], 0, 64)
		return "-0x" + strconv.FormatInt(1<<32-int64(v), 16) + "]"
	})
	s = negative.ReplaceAllStringFunc(s, func(m string) string {
		v, _ := strconv.ParseInt(m[2:], 0, 64)
		if v > 1<<15 {
			return m
		}
		return ",0x" + strconv.FormatInt(1<<16-v, 16)
	})
	s = wideByte.ReplaceAllString(s, ",0x$1")
	return roundLast.ReplaceAllString(s, "$1,$3,$2")
}
