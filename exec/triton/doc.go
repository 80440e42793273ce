// Package triton runs kernels written in Triton's Python.
//
//	f, err := triton.Load("add.py")
//	k, err := f.Kernel("add_kernel")
//	err = k.Launch(exec.Grid{tl.Cdiv(n, 1024)}, x, y, out, n, 1024)
//
// No Python runs: the file is read (package syntax), and the kernel is specialised for
// the arguments of a launch as Triton does it (package lower). What comes of it is an
// exec.Kernel, which Specialize gives for everything else that can be done with one:
// check, trace, promote, inspect.
package triton
