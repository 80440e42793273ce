package value

import (
	"go/types"
	"testing"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
)

// TestMathComplete proves that each function of package math that is declared is lowered one way, and no other is.
func TestMathComplete(t *testing.T) {
	scope, isOp := gofile.Package(gofile.MathPath).Scope(), map[string]bool{}
	for _, row := range mathOps {
		isOp[row.name] = true
		if scope.Lookup(row.name) == nil {
			t.Errorf("math.%s is lowered but not declared", row.name)
		}
	}
	for _, name := range scope.Names() {
		isGo := ir.MathNamed(name) != nil
		if _, isFunc := scope.Lookup(name).(*types.Func); isFunc && isGo == isOp[name] {
			t.Errorf("math.%s: an operation %t, a call of Go's %t", name, isOp[name], isGo)
		}
	}
}
