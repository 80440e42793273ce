package cell

import (
	"go/scanner"
	"go/token"
)

// A tok is one token of a cell.
type tok struct {
	tok      token.Token
	lit      string
	pos, end int // bytes of the text
}

// tokens scans Go text. Automatic semicolons have the text "\n".
func tokens(src string) (list []tok, errors bool) {
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
		list = append(list, tok{t, lit, off, off + n})
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

// An item is a declaration or statement at the top of a cell.
type item struct {
	start, end int
	decl       bool
	isVar      bool
	defines    []string        // the names that := or var define
	mentions   map[string]bool // all identifiers
}

// items splits a cell. An error in the brackets leaves the rest to the parser.
func items(src string) []item {
	list, _ := tokens(src)
	var out []item
	for i := 0; i < len(list); {
		if list[i].tok == token.SEMICOLON {
			i++
			continue
		}
		end := itemEnd(list, i)
		toks := list[i:end]
		it := item{start: toks[0].pos, end: toks[len(toks)-1].end, decl: isDecl(toks), isVar: toks[0].tok == token.VAR, mentions: map[string]bool{}}
		for _, t := range toks {
			if t.tok == token.IDENT {
				it.mentions[t.lit] = true
			}
		}
		it.defines = defines(toks)
		if end < len(list) && list[end].lit == ";" {
			it.end = list[end].end
		}
		out = append(out, it)
		i = end
	}
	return out
}

// defines is the names that a statement may define at the top of a cell.
func defines(toks []tok) (names []string) {
	switch toks[0].tok {
	case token.VAR:
		for _, t := range toks[1:] {
			if t.tok == token.ASSIGN {
				break
			}
			if t.tok == token.IDENT {
				names = append(names, t.lit)
			}
		}
	case token.IDENT:
		for _, t := range toks {
			switch t.tok {
			case token.IDENT:
				names = append(names, t.lit)
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

// A stage is a part of a cell that is checked and run at once.
type stage struct{ decls, stmts []item }

// stages orders a cell. Declarations come before statements, so that a cell may call
// functions that it declares further down; but a function that uses a variable which
// the cell defines with := comes after that. A var is a declaration if functions of
// the cell use it, or if there are no statements, and a statement otherwise.
func stages(src string) []stage {
	list := items(src)
	var out []stage
	var cur stage
	defined := map[string]bool{} // by statements of the current stage
	onlyVars, used := true, map[string]bool{}
	for _, it := range list {
		if it.decl {
			for name := range it.mentions {
				used[name] = true
			}
		} else if !it.isVar {
			onlyVars = false
		}
	}
	mentions := func(it item, names map[string]bool) bool {
		for name := range it.mentions {
			if names[name] {
				return true
			}
		}
		return false
	}
	for _, it := range list {
		decl := it.decl
		if it.isVar && !mentions(it, defined) {
			decl = onlyVars
			for _, name := range it.defines {
				decl = decl || used[name]
			}
		}
		if !decl {
			cur.stmts = append(cur.stmts, it)
			for _, name := range it.defines {
				defined[name] = true
			}
			continue
		}
		if mentions(it, defined) {
			out = append(out, cur)
			cur, defined = stage{}, map[string]bool{}
		}
		cur.decls = append(cur.decls, it)
	}
	return append(out, cur)
}

// itemEnd is the index after the item that begins at i, its semicolon excluded.
func itemEnd(list []tok, i int) int {
	depth := 0
	for ; i < len(list); i++ {
		switch list[i].tok {
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

func isDecl(item []tok) bool {
	switch item[0].tok {
	case token.IMPORT, token.TYPE, token.CONST, token.PACKAGE:
		return true
	case token.FUNC:
		return len(item) > 1 && (item[1].tok == token.IDENT || isMethod(item))
	}
	return false
}

// isMethod tells func (x T) Name( from func (x T) { … }.
func isMethod(item []tok) bool {
	depth := 0
	for i, t := range item[1:] {
		switch t.tok {
		case token.LPAREN:
			depth++
		case token.RPAREN:
			depth--
		}
		if depth == 0 {
			rest := item[i+2:]
			return len(rest) > 1 && rest[0].tok == token.IDENT && (rest[1].tok == token.LPAREN || rest[1].tok == token.LBRACK)
		}
	}
	return false
}

// onlyDecls reports whether a cell holds nothing but declarations and comments.
func onlyDecls(src string) bool {
	for _, it := range items(src) {
		if !it.decl && !it.isVar {
			return false
		}
	}
	return true
}
