package syntax

// exprs reads expressions.
type exprs struct{ cursor }

// expression is a test, with := if there is one.
func (p *exprs) expression() Expr {
	x := p.test()
	if p.is(":=") {
		t := p.take()
		return &Walrus{Node{t.at}, x, p.test()}
	}
	return x
}

// expressions is a tuple, or what stands alone: in a return, an assignment, an index.
func (p *exprs) expressions() Expr {
	at := p.peek().at
	x := p.starred()
	if !p.is(",") {
		return x
	}
	t := &Tuple{Node{at}, []Expr{x}}
	for p.accept(",") && p.begins() {
		t.Elems = append(t.Elems, p.starred())
	}
	return t
}

// starred is *x or an expression.
func (p *exprs) starred() Expr {
	if p.is("*") {
		t := p.take()
		return &Starred{Node{t.at}, p.binary(0)}
	}
	return p.expression()
}

// begins reports whether an expression can begin here.
func (p *exprs) begins() bool {
	switch t := p.peek(); t.kind {
	case name, integer, float, imaginary, str:
		return true
	case keyword:
		switch t.text {
		case "False", "None", "True", "await", "lambda", "not", "yield":
			return true
		}
	case operator:
		switch t.text {
		case "(", "[", "{", "-", "+", "~", "...", "*":
			return true
		}
	}
	return false
}

func (p *exprs) test() Expr {
	defer p.deeper()()
	switch {
	case p.is("lambda"):
		t := p.take()
		params := p.params(":", false)
		p.expect(":")
		return &Lambda{Node{t.at}, params, p.test()}
	case p.is("yield"):
		return p.yield()
	}
	x := p.or()
	if !p.is("if") {
		return x
	}
	t := p.take()
	cond := p.or()
	p.expect("else")
	return &IfExp{Node{t.at}, cond, x, p.test()}
}

func (p *exprs) yield() Expr {
	y := &Yield{Node: Node{p.take().at}}
	if p.accept("from") {
		y.From = true
		y.X = p.test()
	} else if p.begins() {
		y.X = p.expressions()
	}
	return y
}

func (p *exprs) or() Expr {
	x := p.and()
	for p.is("or") {
		t := p.take()
		x = &Binary{Node{t.at}, "or", x, p.and()}
	}
	return x
}

func (p *exprs) and() Expr {
	x := p.not()
	for p.is("and") {
		t := p.take()
		x = &Binary{Node{t.at}, "and", x, p.not()}
	}
	return x
}

func (p *exprs) not() Expr {
	if p.is("not") {
		defer p.deeper()()
		t := p.take()
		return &Unary{Node{t.at}, "not", p.not()}
	}
	return p.comparison()
}

func (p *exprs) comparison() Expr {
	x := p.binary(0)
	var c *Compare
	for {
		at := p.peek().at
		o := p.compareOp()
		if o == "" {
			break
		}
		if c == nil {
			c = &Compare{Node: Node{at}, X: x}
		}
		c.Ops, c.Ys = append(c.Ops, o), append(c.Ys, p.binary(0))
	}
	if c != nil {
		return c
	}
	return x
}

// compareOp takes a comparison's operator, "" if there is none.
func (p *exprs) compareOp() string {
	switch {
	case p.isAny("<", ">", "<=", ">=", "==", "!=", "in"):
		return p.take().text
	case p.is("not") && p.ahead(1).kind == keyword && p.ahead(1).text == "in":
		p.i += 2
		return "not in"
	case p.accept("is"):
		if p.accept("not") {
			return "is not"
		}
		return "is"
	}
	return ""
}

// levels are binary operators by precedence, the weakest first.
var levels = [...][]string{{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%", "@"}}

func (p *exprs) binary(level int) Expr {
	if level == len(levels) {
		return p.unary()
	}
	x := p.binary(level + 1)
	for p.isAny(levels[level]...) {
		t := p.take()
		x = &Binary{Node{t.at}, t.text, x, p.binary(level + 1)}
	}
	return x
}

func (p *exprs) unary() Expr {
	if !p.isAny("-", "+", "~") {
		return p.power()
	}
	defer p.deeper()()
	t := p.take()
	return &Unary{Node{t.at}, t.text, p.unary()}
}

func (p *exprs) power() Expr {
	if p.is("await") {
		defer p.deeper()()
		t := p.take()
		return &Await{Node{t.at}, p.power()}
	}
	x := p.trailers(p.atom())
	if !p.is("**") {
		return x
	}
	defer p.deeper()()
	t := p.take()
	return &Binary{Node{t.at}, "**", x, p.unary()}
}

// trailers are calls, subscripts and attributes behind an atom.
func (p *exprs) trailers(x Expr) Expr {
	for {
		at := p.peek().at
		switch {
		case p.accept("("):
			x = &Call{Node{at}, x, p.arguments()}
		case p.accept("["):
			x = &Subscript{Node{at}, x, p.index()}
			p.expect("]")
		case p.accept("."):
			t := p.name()
			x = &Attribute{Node{t.at}, x, t.text}
		default:
			return x
		}
	}
}

// arguments are those of a call, up to its closing parenthesis.
func (p *exprs) arguments() (args []Arg) {
	for !p.accept(")") {
		args = append(args, p.argument())
		if !p.is(")") {
			p.expect(",")
		}
	}
	return args
}

func (p *exprs) argument() Arg {
	a := Arg{Node: Node{p.peek().at}}
	switch {
	case p.accept("*"):
		a.Stars = 1
	case p.accept("**"):
		a.Stars = 2
	case p.peek().kind == name && p.ahead(1).kind == operator && p.ahead(1).text == "=":
		a.Name = p.take().text
		p.take()
	}
	a.Value = p.expression()
	if p.isAny("for", "async") {
		a.Value = p.comprehension("(", a.At, a.Value, nil)
	}
	return a
}

// index is what stands in a subscript: expressions and slices.
func (p *exprs) index() Expr {
	at := p.peek().at
	x := p.slice()
	if !p.is(",") {
		return x
	}
	t := &Tuple{Node{at}, []Expr{x}}
	for p.accept(",") && !p.is("]") {
		t.Elems = append(t.Elems, p.slice())
	}
	return t
}

func (p *exprs) slice() Expr {
	s := &Slice{Node: Node{p.peek().at}}
	if !p.is(":") {
		s.Lo = p.starred()
		if !p.is(":") {
			return s.Lo
		}
	}
	p.expect(":")
	if p.begins() {
		s.Hi = p.test()
	}
	if p.accept(":") && p.begins() {
		s.Step = p.test()
	}
	return s
}

func (p *exprs) atom() Expr {
	t := p.take()
	n := Node{t.at}
	switch t.kind {
	case name:
		return &Name{n, t.text}
	case integer, float, imaginary:
		return &Number{n, t.text, t.kind == float, t.kind == imaginary}
	case str:
		return p.strings(t)
	case keyword:
		switch t.text {
		case "True", "False", "None":
			return &Constant{n, t.text}
		}
	case operator:
		switch t.text {
		case "...":
			return &Constant{n, t.text}
		case "(":
			return p.parens(t)
		case "[":
			return p.list(t)
		case "{":
			return p.braces(t)
		}
	}
	fail(p.file, t.at, "%s, want an expression", t)
	return nil
}

// strings joins adjacent strings.
func (p *exprs) strings(t token) Expr {
	s := &String{Node: Node{t.at}}
	for {
		s.Value += t.text
		s.Format = s.Format || t.prefix == 'f'
		s.Bytes = s.Bytes || t.prefix == 'b'
		if p.peek().kind != str {
			return s
		}
		t = p.take()
	}
}

func (p *exprs) parens(open token) Expr {
	n := Node{open.at}
	if p.accept(")") {
		return &Tuple{Node: n}
	}
	x := p.starred()
	switch {
	case p.isAny("for", "async"):
		x = p.comprehension("(", open.at, x, nil)
	case p.is(","):
		t := &Tuple{n, []Expr{x}}
		for p.accept(",") && !p.is(")") {
			t.Elems = append(t.Elems, p.starred())
		}
		x = t
	}
	p.expect(")")
	return x
}

func (p *exprs) list(open token) Expr {
	l := &List{Node: Node{open.at}}
	for !p.accept("]") {
		x := p.starred()
		if len(l.Elems) == 0 && p.isAny("for", "async") {
			c := p.comprehension("[", open.at, x, nil)
			p.expect("]")
			return c
		}
		l.Elems = append(l.Elems, x)
		if !p.is("]") {
			p.expect(",")
		}
	}
	return l
}

// braces is a dictionary, a set or a comprehension of one.
func (p *exprs) braces(open token) Expr {
	d, s := &Dict{Node: Node{open.at}}, &Set{Node: Node{open.at}}
	for !p.accept("}") {
		var k, v Expr
		if p.accept("**") {
			v = p.binary(0)
		} else if k = p.starred(); p.accept(":") {
			v = p.test()
		}
		if p.isAny("for", "async") {
			c := p.comprehension("{", open.at, k, v)
			p.expect("}")
			return c
		}
		if v == nil {
			s.Elems = append(s.Elems, k)
		} else {
			d.Keys, d.Values = append(d.Keys, k), append(d.Values, v)
		}
		if !p.is("}") {
			p.expect(",")
		}
	}
	if len(s.Elems) > 0 {
		return s
	}
	return d
}

func (p *exprs) comprehension(kind string, at Pos, elem, value Expr) Expr {
	c := &Comprehension{Node{at}, kind, elem, value, nil}
	for p.isAny("for", "async") {
		p.accept("async")
		p.expect("for")
		cl := Clause{Target: p.targets()}
		p.expect("in")
		cl.Iter = p.or()
		for p.accept("if") {
			cl.Conds = append(cl.Conds, p.condition())
		}
		c.Clauses = append(c.Clauses, cl)
	}
	return c
}

// condition is that of a comprehension: an if behind it is the next one.
func (p *exprs) condition() Expr {
	if p.is("lambda") {
		return p.test()
	}
	x := p.or()
	if p.is(":=") {
		t := p.take()
		return &Walrus{Node{t.at}, x, p.or()}
	}
	return x
}

// targets is what a for assigns to.
func (p *exprs) targets() Expr {
	at := p.peek().at
	one := func() Expr {
		if p.is("*") {
			t := p.take()
			return &Starred{Node{t.at}, p.binary(0)}
		}
		return p.binary(0)
	}
	x := one()
	if !p.is(",") {
		return x
	}
	t := &Tuple{Node{at}, []Expr{x}}
	for p.accept(",") && p.begins() {
		t.Elems = append(t.Elems, one())
	}
	return t
}

// params are a function's parameters up to end.
func (p *exprs) params(end string, annotated bool) (list []Param) {
	for !p.is(end) {
		a := Param{Node: Node{p.peek().at}}
		switch {
		case p.accept("*"):
			a.Stars = 1
		case p.accept("**"):
			a.Stars = 2
		case p.accept("/"):
			if !p.is(end) {
				p.expect(",")
			}
			continue
		}
		if a.Stars != 1 || p.peek().kind == name {
			a.Name = p.name().text
		}
		if annotated && p.accept(":") {
			a.Annotation = p.starred()
		}
		if p.accept("=") {
			a.Default = p.test()
		}
		if a.Name != "" {
			list = append(list, a)
		}
		if !p.is(end) {
			p.expect(",")
		}
	}
	return list
}
