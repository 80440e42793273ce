package cell

import (
	"go/token"
	"strings"
)

// Indexing with None, as NumPy and Triton write it, is no Go. It becomes a method call
// before the parser sees it, of the same length, so that columns stay what they are.

// newAxis is the method that stands for indexing with None at an axis; a name that
// nobody writes. It is put right in the syntax tree.
var newAxis = [...]string{"ſ0", "ſ1", "ſ2", "ſ3", "ſ4"}

// desugarIndex replaces x[:, None] and its like by calls.
func desugarIndex(src string) string {
	if !strings.Contains(src, "None") {
		return src
	}
	list, _ := tokens(src)
	out := []byte(src)
	for i, t := range list {
		if t.tok != token.LBRACK || i == 0 {
			continue
		}
		switch list[i-1].tok {
		case token.IDENT, token.RPAREN, token.RBRACK:
		default:
			continue
		}
		end, call := noneIndex(list[i:])
		if call == "" || strings.Contains(src[t.pos:list[i+end].end], "\n") {
			continue
		}
		copy(out[t.pos:], call+strings.Repeat(" ", list[i+end].end-t.pos-len(call)))
	}
	return string(out)
}

// noneIndex reads [:, None] at the start of list: the index of its last token, and
// the call that it means, "" if it is something else.
func noneIndex(list []tok) (end int, call string) {
	axis, dims := -1, 0
	for i := 1; i+1 < len(list); i += 2 {
		switch {
		case list[i].tok == token.COLON:
		case list[i].tok == token.IDENT && list[i].lit == "None" && axis < 0:
			axis = dims
		default:
			return 0, ""
		}
		dims++
		switch list[i+1].tok {
		case token.COMMA:
		case token.RBRACK:
			switch {
			case axis < 0 || dims < 2 || dims > len(newAxis):
				return 0, ""
			case dims == 2 && axis == 0:
				return i + 1, ".Row()"
			case dims == 2:
				return i + 1, ".Col()"
			}
			return i + 1, "." + newAxis[axis] + "()"
		default:
			return 0, ""
		}
	}
	return 0, ""
}
