package nb

import (
	"context"
	"fmt"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/blocks"
)

// Blocks draws the blocks that the first program of a launch reads and writes, in each iteration
// of a loop. The kernel is a function or an exec.Kernel; it runs on copies of the tensors.
func Blocks(kernel any, grid exec.Space, args ...any) { BlocksAt(nil, kernel, grid, args...) }

// BlocksAt is Blocks of another program: []int{1, 0} for (1,0).
func BlocksAt(program []int, kernel any, grid exec.Space, args ...any) {
	k, ok := kernel.(*exec.Kernel)
	if !ok {
		k = exec.New(kernel)
	}
	if err := k.Err(); err != nil {
		Fail(fmt.Errorf("nb.Blocks: %w", err))
		return
	}
	p, err := blocks.Of(context.Background(), k, program, grid, args, options())
	if len(p.Blocks) > 0 {
		display(p, "")
	}
	Fail(err)
}
