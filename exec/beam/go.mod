module github.com/tiler-go/tiler/exec/beam

go 1.26.0

require (
	github.com/tiler-go/tiler v0.0.0
	golang.org/x/sys v0.48.0
)

replace github.com/tiler-go/tiler => ../..
