package syntax

import "slices"

// Function finds a function in functions and classes, nil if there is none.
func Function(list []Stmt, name string) *FuncDef {
	for _, s := range list {
		var found *FuncDef
		switch s := s.(type) {
		case *FuncDef:
			if s.Name == name {
				return s
			}
			found = Function(s.Body, name)
		case *ClassDef:
			found = Function(s.Body, name)
		case *If:
			found = Function(append(append([]Stmt{}, s.Then...), s.Else...), name)
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// Decorated reports whether a function has a decorator of a name.
func (d *FuncDef) Decorated(name string) bool {
	for _, x := range d.Decorators {
		if c, ok := x.(*Call); ok {
			x = c.Func
		}
		switch x := x.(type) {
		case *Attribute:
			if x.Name == name {
				return true
			}
		case *Name:
			if x.Name == name {
				return true
			}
		}
	}
	return false
}

// Branches reports whether one of the statements of a function is an if.
func (d *FuncDef) Branches() bool {
	return slices.ContainsFunc(d.Body, func(s Stmt) bool {
		_, is := s.(*If)
		return is
	})
}
