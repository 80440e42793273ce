package npy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/shape"
	"github.com/tiler-go/tiler/tilelang/tensor/stride"
)

// The header of an .npy file is a Python dict literal with three keys:
//
//	{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
//
// Only that much of Python is read; everything else is an error.

// header is what a header says.
type header struct {
	d       dtype.DType
	big     bool // big-endian elements
	fortran bool // the first dimension varies fastest
	shape   []int
	n       int // elements
}

// types is the dtype of each type code, without its byte order.
var types = map[string]dtype.DType{
	"?": dtype.Bool, "b1": dtype.Bool,
	"i1": dtype.Int8, "i2": dtype.Int16, "i4": dtype.Int32, "i8": dtype.Int64,
	"u1": dtype.Uint8, "u2": dtype.Uint16, "u4": dtype.Uint32, "u8": dtype.Uint64,
	"f2": dtype.Float16, "f4": dtype.Float32, "f8": dtype.Float64,
}

// codes is the type code that each dtype is written with. bfloat16 and the 8-bit
// floats have none, and are written as unsigned integers.
var codes = [dtype.Count]string{
	dtype.Bool: "|b1",
	dtype.Int8: "|i1", dtype.Int16: "<i2", dtype.Int32: "<i4", dtype.Int64: "<i8",
	dtype.Uint8: "|u1", dtype.Uint16: "<u2", dtype.Uint32: "<u4", dtype.Uint64: "<u8",
	dtype.Float8E5: "|u1", dtype.Float8E4NV: "|u1", dtype.BFloat16: "<u2",
	dtype.Float16: "<f2", dtype.Float32: "<f4", dtype.Float64: "<f8",
}

func (h *header) setType(descr string) error {
	code := strings.TrimLeft(descr, "<>|=")
	d, ok := types[code]
	if !ok || len(descr)-len(code) > 1 {
		return fmt.Errorf("dtype %q is not supported", descr)
	}
	h.d = d
	h.big = descr[0] == '>' || descr[0] == '=' && bigEndian
	return nil
}

// check is what a parsed header must satisfy.
func (h *header) check() error {
	if e := stride.Check(h.shape); e != "" {
		return fmt.Errorf("shape %s has %s", shape.Index(h.shape), e)
	}
	h.n = stride.Len(h.shape)
	if uint64(h.n) > stride.MaxBytes/8 {
		return fmt.Errorf("shape %s has too many elements", shape.Index(h.shape))
	}
	return nil
}

// parseHeader reads the dict.
func parseHeader(text string) (h header, err error) {
	p := parser{rest: text}
	seen := map[string]bool{}
	p.expect("{")
	for !p.accept("}") && p.err == nil {
		key := p.str()
		p.expect(":")
		switch {
		case p.err != nil:
		case seen[key]:
			p.fail("the key %q is there twice", key)
		case key == "descr":
			if p.peek() == '[' {
				p.fail("structured dtypes are not supported")
			} else if descr := p.str(); p.err == nil {
				p.err = h.setType(descr)
			}
		case key == "fortran_order":
			h.fortran = p.bool()
		case key == "shape":
			h.shape = p.tuple()
		default:
			p.fail("unknown key %q", key)
		}
		seen[key] = true
		if !p.accept(",") && p.peek() != '}' {
			p.fail("no comma or end at %.20q", p.rest)
		}
	}
	if p.space(); p.rest != "" {
		p.fail("text after the end: %.20q", p.rest)
	}
	if len(seen) != 3 {
		p.fail("it needs the keys descr, fortran_order and shape")
	}
	if p.err != nil {
		return h, p.err
	}
	return h, h.check()
}

// parser takes tokens off the front of rest. After an error it stands still.
type parser struct {
	rest string
	err  error
}

func (p *parser) fail(format string, a ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, a...)
	}
}

func (p *parser) space() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

// peek is the next character that is not space, 0 at the end.
func (p *parser) peek() byte {
	if p.space(); p.rest == "" {
		return 0
	}
	return p.rest[0]
}

func (p *parser) accept(token string) bool {
	if p.space(); p.err != nil || !strings.HasPrefix(p.rest, token) {
		return false
	}
	p.rest = p.rest[len(token):]
	return true
}

func (p *parser) expect(token string) {
	if !p.accept(token) {
		p.fail("no %q at %.20q", token, p.rest)
	}
}

// str reads a quoted string without escapes.
func (p *parser) str() string {
	quote := p.peek()
	if p.err != nil || quote != '\'' && quote != '"' {
		p.fail("no string at %.20q", p.rest)
		return ""
	}
	s, rest, ok := strings.Cut(p.rest[1:], string(quote))
	if !ok || strings.Contains(s, `\`) {
		p.fail("no plain string at %.20q", p.rest)
		return ""
	}
	p.rest = rest
	return s
}

func (p *parser) bool() bool {
	if p.accept("True") {
		return true
	}
	p.expect("False")
	return false
}

// tuple reads a tuple of integers, each with an L behind it in Python 2's files.
func (p *parser) tuple() []int {
	list := []int{}
	p.expect("(")
	for comma := true; !p.accept(")") && p.err == nil; comma = p.accept(",") {
		if !comma {
			p.fail("no comma at %.20q", p.rest)
		}
		if list = append(list, p.int()); len(list) > stride.MaxRank {
			p.fail("more than %d dimensions", stride.MaxRank)
		}
	}
	return list
}

func (p *parser) int() int {
	p.space()
	end := 0
	for end < len(p.rest) && strings.IndexByte("+-0123456789", p.rest[end]) >= 0 {
		end++
	}
	n, err := strconv.Atoi(p.rest[:end])
	if errors.Is(err, strconv.ErrRange) {
		p.fail("the dimension %.30s is too large", p.rest[:end])
	} else if err != nil {
		p.fail("no integer at %.20q", p.rest)
	}
	p.rest = p.rest[end:]
	p.accept("L")
	return n
}

// spelled is the dict of a header, exactly as NumPy writes it: it leaves room for the
// dimension that grows when elements are appended.
func spelled(a Array) string {
	order, grows := "False", 0
	if a.Fortran {
		order, grows = "True", len(a.Shape)-1
	}
	s := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }",
		codes[a.Elems.DType()], order, shape.Tuple(a.Shape))
	if len(a.Shape) > 0 {
		s += strings.Repeat(" ", 21-len(strconv.Itoa(a.Shape[grows])))
	}
	return s
}
