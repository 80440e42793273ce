package syntax

import "strings"

// statement is one statement, or those of a line that are separated by semicolons.
func (p *parser) statement() []Stmt {
	t := p.peek()
	if t.kind == indent {
		p.fail("an indented line where no block begins")
	}
	if compound := p.compound(t); compound != nil {
		defer p.deeper()()
		return []Stmt{compound()}
	}
	if p.isMatch() {
		defer p.deeper()()
		return []Stmt{p.match()}
	}
	return p.line()
}

// compound is what reads a statement with blocks, nil if none begins.
func (p *parser) compound(t token) func() Stmt {
	if t.kind == operator && t.text == "@" {
		return p.decorated
	}
	if t.kind != keyword {
		return nil
	}
	switch t.text {
	case "def":
		return func() Stmt { return p.function(nil) }
	case "class":
		return p.class
	case "if":
		return p.choice
	case "for":
		return p.forLoop
	case "while":
		return p.whileLoop
	case "with":
		return p.with
	case "try":
		return p.try
	case "async":
		return func() Stmt {
			p.take()
			if next := p.peek(); next.kind == keyword && (next.text == "def" || next.text == "for" || next.text == "with") {
				return p.compound(next)()
			}
			p.fail("%s, want def, for or with after async", p.peek())
			return nil
		}
	}
	return nil
}

// line is the simple statements of a line.
func (p *parser) line() (list []Stmt) {
	for {
		list = append(list, p.simple())
		if !p.accept(";") || p.peek().kind == newline {
			break
		}
	}
	if p.peek().kind != newline {
		p.fail("%s, want the end of the statement", p.peek())
	}
	p.take()
	return list
}

func (p *parser) simple() Stmt {
	t := p.peek()
	n := Node{t.at}
	if t.kind == keyword {
		switch t.text {
		case "pass", "break", "continue", "global", "nonlocal", "del", "assert", "raise":
			return p.keywordStatement()
		case "return":
			p.take()
			r := &Return{Node: n}
			if p.begins() {
				r.X = p.expressions()
			}
			return r
		case "import":
			p.take()
			return &Import{Node: n, Names: p.aliases(true)}
		case "from":
			return p.from()
		}
	}
	return p.assignment()
}

func (p *parser) keywordStatement() Stmt {
	t := p.take()
	s := &Simple{Node: Node{t.at}, Keyword: t.text}
	for p.begins() {
		s.Exprs = append(s.Exprs, p.starred())
		if !p.accept(",") && !p.accept("from") {
			break
		}
	}
	return s
}

// aliases are the names of an import.
func (p *parser) aliases(dotted bool) (names []Alias) {
	for {
		t := p.name()
		a := Alias{Node{t.at}, t.text, t.text}
		for dotted && p.accept(".") {
			a.Name += "." + p.name().text
		}
		if p.accept("as") {
			a.As = p.name().text
		} else if dotted {
			a.As, _, _ = strings.Cut(a.Name, ".")
		}
		names = append(names, a)
		if !p.accept(",") || p.is(")") {
			return names
		}
	}
}

func (p *parser) from() Stmt {
	s := &Import{Node: Node{p.take().at}, IsFrom: true}
	for p.isAny(".", "...") {
		s.From += p.take().text
	}
	if p.peek().kind == name {
		s.From += p.take().text
		for p.accept(".") {
			s.From += "." + p.name().text
		}
	}
	p.expect("import")
	switch {
	case p.is("*"):
		s.Names = []Alias{{Node{p.take().at}, "*", "*"}}
	case p.accept("("):
		s.Names = p.aliases(false)
		p.expect(")")
	default:
		s.Names = p.aliases(false)
	}
	return s
}

// assignment is an expression, or an assignment to it.
func (p *parser) assignment() Stmt {
	n := Node{p.peek().at}
	x := p.expressions()
	t := p.peek()
	if t.kind != operator {
		return &ExprStmt{n, x}
	}
	switch {
	case t.text == ":":
		p.take()
		a := &AnnAssign{Node: n, Target: p.target(x), Annotation: p.test()}
		if p.accept("=") {
			a.Value = p.expressions()
		}
		return a
	case t.text == "=":
		a := &Assign{Node: n}
		for p.accept("=") {
			a.Targets = append(a.Targets, p.target(x))
			x = p.expressions()
		}
		a.Value = x
		return a
	case len(t.text) > 1 && t.text[len(t.text)-1] == '=' && !strings.ContainsAny(t.text[:1], "=!<>:"), t.text == "<<=", t.text == ">>=":
		p.take()
		return &AugAssign{Node{t.at}, t.text[:len(t.text)-1], p.target(x), p.expressions()}
	}
	return &ExprStmt{n, x}
}

// target is x, which must be something that can be assigned to.
func (p *parser) target(x Expr) Expr {
	switch x := x.(type) {
	case *Name, *Attribute, *Subscript:
	case *Starred:
		p.target(x.X)
	case *Tuple:
		for _, e := range x.Elems {
			p.target(e)
		}
	case *List:
		for _, e := range x.Elems {
			p.target(e)
		}
	default:
		fail(p.file, x.Pos(), "this cannot be assigned to")
	}
	return x
}

// isMatch reports whether a match statement begins: match is a name elsewhere.
func (p *parser) isMatch() bool {
	t := p.peek()
	if t.kind != name || t.text != "match" {
		return false
	}
	depth := 0
	for i := 1; ; i++ {
		switch t := p.ahead(i); {
		case t.kind == newline || t.kind == eof:
			return false
		case t.kind == operator && closing[t.text] != "":
			depth++
		case t.kind == operator && (t.text == ")" || t.text == "]" || t.text == "}"):
			depth--
		case depth == 0 && t.kind == operator && t.text == ":":
			return i > 1 && p.ahead(i+1).kind == newline && p.ahead(i+2).kind == indent && p.ahead(i+3).text == "case"
		}
	}
}
