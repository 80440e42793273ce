package puzzles_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec/kerneltest"
)

func TestMain(m *testing.M) { kerneltest.Main(m) }
