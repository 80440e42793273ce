// Package launch checks a launch of a kernel: it runs the programs interpreted under a
// sanitizer.Checker on private copies of the tensors, compares with the user's reference,
// and tries the kernel on other arguments, which it derives from those it was given.
package launch
