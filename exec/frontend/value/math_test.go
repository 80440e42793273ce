package value

import (
	"go/types"
	"testing"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
)

// TestMathComplete proves that each function of package math that is declared is lowered one way, and no other is.
func TestMathComplete(t *testing.T) {
	scope := gofile.Package(gofile.MathPath).Scope()
	for _, name := range scope.Names() {
		_, isGo := ir.MathNamed(name)
		if _, isFunc := scope.Lookup(name).(*types.Func); isFunc && isGo == (mathOps[name] != nil) {
			t.Errorf("math.%s: an operation %t, a call of Go's %t", name, !isGo, isGo)
		}
	}
	for name := range mathOps {
		if scope.Lookup(name) == nil {
			t.Errorf("math.%s is lowered but not declared", name)
		}
	}
}
