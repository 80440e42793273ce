package main

import (
	"errors"
	"flag"
	"fmt"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/exec/triton"
	"github.com/tiler-go/tiler/tilelang/diag"
)

func setupGo(flags *flag.FlagSet) cli.Action {
	pkg := flags.String("package", "main", "the `NAME` of the package that is printed")
	return func(e cli.Env, args []string) int {
		if len(args) == 0 {
			return e.Usage()
		}
		path, kernel, _ := cutKernel(args[0])
		text, err := triton.Translate(path, kernel, *pkg, args[1:]...)
		var wrong *diag.Diagnostic
		if errors.As(err, &wrong) {
			err = errors.New(rendered(diag.List{wrong}))
		}
		if err != nil {
			return e.Fail(err)
		}
		fmt.Fprint(e.Out, text)
		return 0
	}
}
