package scan

import (
	"go/scanner"
	"go/token"
)

// A Token is one token of a cell.
type Token struct {
	Kind     token.Token
	Lit      string
	Pos, End int // bytes of the text
}

// Tokens scans Go text. Automatic semicolons have the text "\n".
func Tokens(src string) (list []Token, errors bool) {
	fset := token.NewFileSet()
	f := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(f, []byte(src), func(token.Position, string) { errors = true }, 0)
	for {
		pos, t, lit := s.Scan()
		if t == token.EOF {
			return list, errors
		}
		off := f.Offset(pos)
		n := len(lit)
		if lit == "" {
			n = len(t.String())
		}
		if t == token.SEMICOLON && lit == "\n" {
			n = 0
		}
		list = append(list, Token{t, lit, off, off + n})
	}
}

// Incomplete reports whether more lines must follow before src can be evaluated: a
// bracket, a raw string or a comment is open, or the last line ends with an
// operator. A text that no line could complete is complete.
func Incomplete(src string) bool {
	var t tally
	t.add(src)
	return t.incomplete()
}

// continues reports whether a token at the end of a line means that the statement
// goes on.
func continues(t token.Token) bool {
	switch t {
	case token.INC, token.DEC, token.SEMICOLON, token.ELLIPSIS, token.RPAREN, token.RBRACE, token.RBRACK:
		return false
	case token.FUNC, token.IF, token.FOR, token.SWITCH, token.SELECT, token.TYPE, token.VAR, token.CONST, token.IMPORT, token.PACKAGE, token.ELSE, token.STRUCT, token.INTERFACE, token.MAP, token.CHAN, token.GO, token.DEFER, token.RANGE, token.CASE, token.DEFAULT, token.GOTO:
		return true
	}
	return t.IsOperator()
}

// An Item is a declaration or statement at the top of a cell.
type Item struct {
	Start, End int
	Decl       bool
	isVar      bool
	Defines    []string        // the names that := or var define
	Mentions   map[string]bool // all identifiers
}

// Items splits a cell. An error in the brackets leaves the rest to the parser.
func Items(src string) []Item {
	list, _ := Tokens(src)
	var out []Item
	for i := 0; i < len(list); {
		if list[i].Kind == token.SEMICOLON {
			i++
			continue
		}
		end := itemEnd(list, i)
		toks := list[i:end]
		it := Item{Start: toks[0].Pos, End: toks[len(toks)-1].End, Decl: isDecl(toks), isVar: toks[0].Kind == token.VAR, Mentions: map[string]bool{}}
		for _, t := range toks {
			if t.Kind == token.IDENT {
				it.Mentions[t.Lit] = true
			}
		}
		it.Defines = defines(toks)
		if end < len(list) && list[end].Lit == ";" {
			it.End = list[end].End
		}
		out = append(out, it)
		i = end
	}
	return out
}

// defines is the names that a statement may define at the top of a cell.
func defines(toks []Token) (names []string) {
	switch toks[0].Kind {
	case token.VAR:
		for _, t := range toks[1:] {
			if t.Kind == token.ASSIGN {
				break
			}
			if t.Kind == token.IDENT {
				names = append(names, t.Lit)
			}
		}
	case token.IDENT:
		for _, t := range toks {
			switch t.Kind {
			case token.IDENT:
				names = append(names, t.Lit)
			case token.COMMA:
			case token.DEFINE:
				return names
			default:
				return nil
			}
		}
		return nil
	}
	return names
}

// A Stage is a part of a cell that is checked and run at once.
type Stage struct{ Decls, Stmts []Item }

// Stages orders a cell. Declarations come before statements, so that a cell may call
// functions that it declares further down; but a function that uses a variable which
// the cell defines with := comes after that. A var is a declaration if functions of
// the cell use it, or if there are no statements, and a statement otherwise.
func Stages(src string) []Stage {
	list := Items(src)
	var out []Stage
	var cur Stage
	defined := map[string]bool{} // by statements of the current stage
	onlyVars, used := true, map[string]bool{}
	for _, it := range list {
		if it.Decl {
			for name := range it.Mentions {
				used[name] = true
			}
		} else if !it.isVar {
			onlyVars = false
		}
	}
	mentions := func(it Item, names map[string]bool) bool {
		for name := range it.Mentions {
			if names[name] {
				return true
			}
		}
		return false
	}
	for _, it := range list {
		decl := it.Decl
		if it.isVar && !mentions(it, defined) {
			decl = onlyVars
			for _, name := range it.Defines {
				decl = decl || used[name]
			}
		}
		if !decl {
			cur.Stmts = append(cur.Stmts, it)
			for _, name := range it.Defines {
				defined[name] = true
			}
			continue
		}
		if mentions(it, defined) {
			out = append(out, cur)
			cur, defined = Stage{}, map[string]bool{}
		}
		cur.Decls = append(cur.Decls, it)
	}
	return append(out, cur)
}

// itemEnd is the index after the item that begins at i, its semicolon excluded.
func itemEnd(list []Token, i int) int {
	depth := 0
	for ; i < len(list); i++ {
		switch list[i].Kind {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		case token.SEMICOLON:
			if depth <= 0 {
				return i
			}
		}
	}
	return i
}

func isDecl(item []Token) bool {
	switch item[0].Kind {
	case token.IMPORT, token.TYPE, token.CONST, token.PACKAGE:
		return true
	case token.FUNC:
		return len(item) > 1 && (item[1].Kind == token.IDENT || isMethod(item))
	}
	return false
}

// isMethod tells func (x T) Name( from func (x T) { … }.
func isMethod(item []Token) bool {
	depth := 0
	for i, t := range item[1:] {
		switch t.Kind {
		case token.LPAREN:
			depth++
		case token.RPAREN:
			depth--
		}
		if depth == 0 {
			rest := item[i+2:]
			return len(rest) > 1 && rest[0].Kind == token.IDENT && (rest[1].Kind == token.LPAREN || rest[1].Kind == token.LBRACK)
		}
	}
	return false
}

// onlyDecls reports whether a cell holds nothing but declarations and comments.
func onlyDecls(src string) bool {
	for _, it := range Items(src) {
		if !it.Decl && !it.isVar {
			return false
		}
	}
	return true
}

// IsProgram reports whether a text begins with a package clause.
func IsProgram(text string) bool {
	list, _ := Tokens(text)
	return len(list) > 0 && list[0].Kind == token.PACKAGE
}

// Nesting is how deep brackets nest in a text, and where the first one is that is deeper than a limit.
func Nesting(src string, limit int) (at, most int) {
	list, _ := Tokens(src)
	depth := 0
	for _, t := range list {
		switch t.Kind {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			if depth++; depth > most {
				most = depth
				if depth == limit+1 {
					at = t.Pos
				}
			}
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		}
	}
	return at, most
}

// Generics is the generic functions and types that a text declares.
func Generics(src string) map[string]bool {
	found := map[string]bool{}
	list, _ := Tokens(src)
	for i := 2; i < len(list); i++ {
		if list[i].Kind == token.LBRACK && list[i-1].Kind == token.IDENT && (list[i-2].Kind == token.FUNC || list[i-2].Kind == token.TYPE) {
			found[list[i-1].Lit] = true
		}
	}
	return found
}
