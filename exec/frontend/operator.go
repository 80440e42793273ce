package frontend

import "go/token"

// operator is x op y of Go values.
func (l *emitter) operator(o token.Token, p token.Pos, x, y value) value {
	if x.kind == poison || y.kind == poison {
		l.suspect(p)
		return bad
	}
	switch {
	case x.kind == scalarKind && y.kind == scalarKind:
		l.at(p)
		return l.scalarBinary(o, p, x, y)
	case x.kind == stringKind && y.kind == stringKind:
		return stringOperator(o, x.s, y.s)
	case x.kind == dtypeKind && y.kind == dtypeKind && (o == token.EQL || o == token.NEQ):
		return boolValue((x.d == y.d) == (o == token.EQL))
	case (x.kind == nilKind || y.kind == nilKind) && (o == token.EQL || o == token.NEQ):
		return boolValue((x.kind == y.kind) == (o == token.EQL))
	}
	if l.typeErrors {
		return bad // go/types has said that there is no such operator
	}
	return l.refuse(p, x.describe()+" "+o.String()+" "+y.describe(), "", "compare numbers, bools, strings or dtypes")
}

func stringOperator(o token.Token, x, y string) value {
	switch o {
	case token.ADD:
		return stringValue(x + y)
	case token.EQL:
		return boolValue(x == y)
	case token.NEQ:
		return boolValue(x != y)
	case token.LSS:
		return boolValue(x < y)
	case token.LEQ:
		return boolValue(x <= y)
	case token.GTR:
		return boolValue(x > y)
	case token.GEQ:
		return boolValue(x >= y)
	}
	return bad
}
