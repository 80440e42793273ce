package syntax

// block is a colon and what follows: the rest of the line, or indented lines.
func (p *parser) block() (list []Stmt) {
	p.expect(":")
	if p.peek().kind != newline {
		return p.line()
	}
	p.take()
	if p.peek().kind != indent {
		p.fail("%s, want an indented block", p.peek())
	}
	p.take()
	for p.peek().kind != dedent && p.peek().kind != eof {
		list = append(list, p.statement()...)
	}
	if p.peek().kind == dedent {
		p.take()
	}
	return list
}

func (p *parser) decorated() Stmt {
	var decorators []Expr
	for p.accept("@") {
		decorators = append(decorators, p.expression())
		if p.peek().kind != newline {
			p.fail("%s after a decorator", p.peek())
		}
		p.take()
	}
	p.accept("async")
	switch {
	case p.is("class"):
		return p.class()
	case p.is("def"):
		return p.function(decorators)
	}
	p.fail("%s, want def or class after a decorator", p.peek())
	return nil
}

func (p *parser) function(decorators []Expr) Stmt {
	p.expect("def")
	t := p.name()
	f := &FuncDef{Node: Node{t.at}, Name: t.text, Decorators: decorators}
	p.typeParams()
	p.expect("(")
	f.Params = p.params(")", true)
	p.expect(")")
	if p.accept("->") {
		p.test()
	}
	f.Body = p.block()
	f.End = p.last().at
	return f
}

// typeParams passes [T], which a kernel has no use for.
func (p *parser) typeParams() {
	if p.accept("[") {
		p.index()
		p.expect("]")
	}
}

func (p *parser) class() Stmt {
	n := Node{p.expect("class").at}
	c := &ClassDef{Node: n, Name: p.name().text}
	p.typeParams()
	if p.accept("(") {
		p.arguments()
	}
	c.Body = p.block()
	return c
}

// choice is an if or elif with all that follows it.
func (p *parser) choice() Stmt {
	defer p.deeper()()
	s := &If{Node: Node{p.take().at}}
	s.Cond = p.expression()
	s.Then = p.block()
	switch {
	case p.is("elif"):
		s.Else = []Stmt{p.choice()}
	case p.accept("else"):
		s.Else = p.block()
	}
	return s
}

func (p *parser) forLoop() Stmt {
	s := &For{Node: Node{p.take().at}}
	s.Target = p.targets()
	p.expect("in")
	s.Iter = p.expressions()
	s.Body = p.block()
	if p.accept("else") {
		s.Else = p.block()
	}
	return s
}

func (p *parser) whileLoop() Stmt {
	s := &While{Node: Node{p.take().at}}
	s.Cond = p.expression()
	s.Body = p.block()
	if p.accept("else") {
		s.Else = p.block()
	}
	return s
}

func (p *parser) with() Stmt {
	s := &With{Node: Node{p.take().at}}
	parens := p.parenthesized()
	if parens {
		p.take()
	}
	for {
		s.Items = append(s.Items, p.test())
		if p.accept("as") {
			p.binary(0)
		}
		if !p.accept(",") || parens && p.is(")") {
			break
		}
	}
	if parens {
		p.expect(")")
	}
	s.Body = p.block()
	return s
}

// parenthesized reports whether the items of a with stand in parentheses: a colon follows
// the closing one, and within there is an as.
func (p *parser) parenthesized() bool {
	if !p.is("(") {
		return false
	}
	depth, as := 0, false
	for i := 0; ; i++ {
		t := p.ahead(i)
		switch {
		case t.kind == eof || t.kind == newline:
			return false
		case t.kind == operator && closing[t.text] != "":
			depth++
		case t.kind == operator && (t.text == ")" || t.text == "]" || t.text == "}"):
			if depth--; depth == 0 {
				return as && p.ahead(i+1).text == ":"
			}
		case depth == 1 && t.kind == keyword && t.text == "as":
			as = true
		}
	}
}

func (p *parser) try() Stmt {
	s := &Try{Node: Node{p.take().at}}
	s.Body = p.block()
	for p.accept("except") {
		p.accept("*")
		if p.begins() {
			p.expressions()
			if p.accept("as") {
				p.name()
			}
		}
		s.Handlers = append(s.Handlers, p.block())
	}
	if p.accept("else") {
		s.Else = p.block()
	}
	if p.accept("finally") {
		s.Finally = p.block()
	}
	if len(s.Handlers) == 0 && s.Finally == nil {
		p.fail("%s, want except or finally after try", p.peek())
	}
	return s
}

func (p *parser) match() Stmt {
	s := &Match{Node: Node{p.take().at}}
	s.X = p.expressions()
	p.expect(":")
	p.take() // newline
	p.take() // indent
	for p.peek().kind == name && p.peek().text == "case" {
		p.pattern()
		s.Cases = append(s.Cases, p.block())
	}
	if p.peek().kind != dedent {
		p.fail("%s, want case", p.peek())
	}
	p.take()
	return s
}

// pattern passes a case up to its colon.
func (p *parser) pattern() {
	for depth := 0; ; p.take() {
		switch t := p.peek(); {
		case t.kind == newline || t.kind == eof:
			p.fail("%s, want ':'", t)
		case t.kind != operator:
		case closing[t.text] != "":
			depth++
		case t.text == ")" || t.text == "]" || t.text == "}":
			depth--
		case t.text == ":" && depth == 0:
			return
		}
	}
}
