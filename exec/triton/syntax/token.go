package syntax

// A Pos is a place in a file; lines and columns count from 1, columns in bytes.
type Pos struct{ Line, Col int32 }

// A kind of token.
type kind uint8

const (
	eof kind = iota
	newline
	indent
	dedent
	name
	keyword
	integer
	float
	imaginary
	str
	operator
)

var kindNames = [...]string{"the end of the file", "the end of the line", "an indented block", "the end of a block", "a name", "a keyword", "an integer", "a number", "a number", "a string", "an operator"}

// A token is a piece of the file. text is what stands there; of a string, its meaning.
type token struct {
	kind   kind
	prefix byte // of a string: f or b, 0 for others
	text   string
	at     Pos
}

// String is the token as messages name it.
func (t token) String() string {
	switch t.kind {
	case name, keyword, integer, float, imaginary, operator:
		return "'" + t.text + "'"
	}
	return kindNames[t.kind]
}

var keywords = map[string]bool{}

func init() {
	for _, k := range []string{
		"False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
		"except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
		"return", "try", "while", "with", "yield",
	} {
		keywords[k] = true
	}
}

// operators are all operators and delimiters, longer ones before those they begin with.
var operators = []string{
	"**=", "//=", ">>=", "<<=", "...",
	"**", "//", ">>", "<<", "<=", ">=", "==", "!=", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", ":=",
	"+", "-", "*", "/", "%", "@", "&", "|", "^", "~", "<", ">", "(", ")", "[", "]", "{", "}", ",", ":", ".", ";", "=",
}
