// Package script runs Python scripts whose kernels are Triton's.
//
//	status, err := script.Run(ctx, script.Options{}, "matmul.py")
//
// Python is the machine's own, in a process of its own: it finds a module triton that this
// package has written (see Path), which asks this process for each launch. The memory of
// tensors is mapped by both (see py/triton/_link.py), so that a kernel works where the script
// has its data; and no kernel can hurt Python but through the tensors that it was given.
package script
