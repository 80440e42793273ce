package cell

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"github.com/tiler-go/tiler/repl/cell/check"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/lower"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// ansName is the variable that holds the value that a cell showed last. It is made when
// a cell asks for it; a variable of that name that the user defines is the user's.
const ansName = "ans"

// An answer is the value that was shown last.
type answer struct {
	value Value
	cell  int          // whose value it is
	nth   int          // it was the cell's nth
	made  bool         // the variable holds it
	obj   types.Object // the variable
}

// answered notes a value that a cell shows: the nth of the cell that is running.
func (s *Session) answered(v Value) {
	if s.capturing || v.V == nil || v.Type == nil {
		return
	}
	v.Type = types.Default(v.Type)
	s.ans = answer{value: v, cell: len(s.scope.Sources) - 1, nth: s.shows, obj: s.ans.obj}
}

// makeAns gives the variable its value, if a text mentions it, or functions do.
func (s *Session) makeAns(list []scan.Item) error {
	asked, live := false, s.scope.Live[ansName]
	if s.ans.value.V == nil || s.ans.made || live != nil && (live.Obj != s.ans.obj || live.Kind != token.VAR) {
		return nil
	}
	for _, it := range list {
		asked = asked || it.Mentions[ansName] && !slices.Contains(it.Defines, ansName)
	}
	if !asked && (live == nil || !types.Identical(live.Obj.Type(), s.ans.value.Type) || !s.used(live.Obj)) {
		return nil
	}
	v := s.ans.value
	given := v.V
	if types.IsInterface(v.Type) {
		given = v.Box
	}
	o, same, err := s.give(ansName, v.Type, given)
	if err != nil {
		return err
	}
	s.ans.made, s.ans.obj = true, o
	s.log.Name(o, same, v.Type, s.ans.cell, s.ans.nth)
	return nil
}

// refreshAns gives the variable its value if there is one.
func (s *Session) refreshAns() {
	s.lock()
	defer s.unlock()
	if s.scope.Live[ansName] != nil {
		_ = s.makeAns(scan.Items(ansName)) // it keeps its value if it cannot have another
	}
}

// give defines a variable of a type, or gives it another value. same is the variable that
// it was already, nil if it is new.
func (s *Session) give(name string, t types.Type, v any) (o *types.Var, same types.Object, err error) {
	o = types.NewVar(token.NoPos, s.scope.Pkg, name, t)
	u := &lower.Unit{Info: &types.Info{}, Variables: lower.Variables{Keep: []*types.Var{o}, Given: []*types.Var{o}, Same: map[*types.Var]types.Object{}}, Line: func(token.Pos) int { return 0 }, Pos: func(token.Pos) diag.Pos { return diag.Pos{} }}
	old := s.scope.Live[name]
	if old != nil && old.Kind == token.VAR && types.Identical(old.Obj.Type(), t) && s.world.Name(old.Obj) != "" {
		u.Same[o] = old.Obj
	} else if old != nil && s.used(old.Obj) {
		return nil, nil, fmt.Errorf("%s is already defined, and functions use it", name)
	}
	code, err := s.world.Lower(u)
	if err != nil {
		return nil, nil, err
	}
	if err := s.host.Compile(code); err != nil {
		s.world.Rollback()
		return nil, nil, s.opts.bug(code, err)
	}
	err = s.run(func() error { return s.host.Give(v) })
	if u.Same[o] != nil {
		return s.scope.Live[name].Obj.(*types.Var), u.Same[o], err
	}
	s.scope.Define(&check.Def{Name: name, Kind: token.VAR, Obj: o})
	return o, nil, err
}
