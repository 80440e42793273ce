package inspect

import (
	"strings"

	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// suggestIntegers adds to the first message of a kernel that does not compile which tensors should have been named:
// those that were taken for float32 and, being of int32, let it compile.
func suggestIntegers(
	failed error, file *gofile.File, kernel string, fa []frontend.Arg, params []gofile.Param, named []string,
) {
	messages, ok := failed.(diag.List)
	if !ok || len(messages) == 0 {
		return
	}
	wrong := messages
	var found []string
	for i, p := range params {
		if p.Kind != gofile.Ptr || isNamed(p.Name, named) {
			continue
		}
		fa[i].DType = dtype.Int32
		_, _, err := frontend.Compile(file, kernel, fa)
		if err == nil {
			messages[0].Note("tensors that are not named are taken for float32")
			messages[0].Fix("name those of integers: %s", strings.Join(append(found, p.Name+"=i32"), " "))
			return
		}
		if left, ok := err.(diag.List); ok && getsFurther(left, wrong) {
			wrong, found = left, append(found, p.Name+"=i32")
		} else {
			fa[i].DType = dtype.Float32
		}
	}
}

// getsFurther reports whether fewer messages are left, or the first is further on.
func getsFurther(left, wrong diag.List) bool {
	a, b := left[0].Pos, wrong[0].Pos
	return len(left) < len(wrong) || a.Line > b.Line || a.Line == b.Line && a.Col > b.Col
}

// isNamed reports whether NAME=VALUE is among arguments.
func isNamed(name string, args []string) bool {
	for _, a := range args {
		if strings.HasPrefix(a, name+"=") {
			return true
		}
	}
	return false
}
