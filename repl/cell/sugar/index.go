package sugar

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/scan"
)

// Indexing with None, as NumPy and Triton write it, is no Go. It becomes a method call
// before the parser sees it, of the same length, so that columns stay what they are.

// newAxis is the method that stands for indexing with None at an axis; a name that
// nobody writes. It is put right in the syntax tree.
var newAxis = [...]string{"ſ0", "ſ1", "ſ2", "ſ3", "ſ4"}

// A noneIndex is an index with None in a text, and the call that it means.
type noneIndex struct {
	Pos, End int
	Call     string
}

// PlainIndex is a text with the calls that x[:, None] and its like mean, each as long as
// what it stands for.
func PlainIndex(src string) string {
	list := NoneIndices(src)
	if len(list) == 0 {
		return src
	}
	out := []byte(src)
	for _, x := range list {
		copy(out[x.Pos:], x.Call+strings.Repeat(" ", x.End-x.Pos-len(x.Call)))
	}
	return string(out)
}

// NoneIndices finds x[:, None] and its like in a text.
func NoneIndices(src string) (found []noneIndex) {
	if !strings.Contains(src, "None") {
		return nil
	}
	list, _ := scan.Tokens(src)
	for i, t := range list {
		if t.Kind != token.LBRACK || i == 0 {
			continue
		}
		switch list[i-1].Kind {
		case token.IDENT, token.RPAREN, token.RBRACK:
		default:
			continue
		}
		n, call := readNone(list[i:])
		if end := list[i+n].End; call != "" && !strings.Contains(src[t.Pos:end], "\n") {
			found = append(found, noneIndex{t.Pos, end, call})
		}
	}
	return found
}

// ExpandDims is Go text with the calls of newAxis as they are written.
func ExpandDims(text string) string {
	for axis, name := range newAxis {
		text = strings.ReplaceAll(text, "."+name+"()", fmt.Sprintf(".ExpandDims(%d)", axis))
	}
	return text
}

// readNone reads [:, None] at the start of list: the index of its last token, and
// the call that it means, "" if it is something else.
func readNone(list []scan.Token) (end int, call string) {
	axis, dims := -1, 0
	for i := 1; i+1 < len(list); i += 2 {
		switch {
		case list[i].Kind == token.COLON:
		case list[i].Kind == token.IDENT && list[i].Lit == "None" && axis < 0:
			axis = dims
		default:
			return 0, ""
		}
		dims++
		switch list[i+1].Kind {
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
