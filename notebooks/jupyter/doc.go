// Package jupyter makes tiler usable from Jupyter, with two kernels. The one called tiler
// is the prompt, and in the program itself: nothing is built for it. The other compiles
// cells of Go, through gonb.
//
// An installation is a folder for each kernel's specification, which tells Jupyter how to
// start it, and one for programs, in which nothing else lives. Programs are those that
// gonb needs for every cell (gonb itself, goimports, gopls), built from versions that are
// pinned down to the last hash in tools.mod and tools.sum; their cells find tiler in a
// clone of its repository. Installing again changes nothing that is as it should be;
// uninstalling removes the folders.
//
// Python is found, never installed: what is missing is an error that names the command
// that gets it.
package jupyter
