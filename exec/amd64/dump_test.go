package amd64

import (
	"os"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

func TestDumpKernel(t *testing.T) {
	if os.Getenv("SHOW") == "" {
		t.Skip("SHOW=1 prints the kernel")
	}
	g := kernelCode(dtype.Float32, dtype.Float32, os.Getenv("SHOW") != "avx2")
	_, _, _, as, err := g.unit.finish(1024, true)
	if err != nil {
		t.Fatal(err)
	}
	as.WriteListing(os.Stdout, nil)
}
