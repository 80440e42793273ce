// Package jupyter makes tiler usable from Jupyter through gonb, a Jupyter kernel that
// compiles Go cells.
//
// An installation is two folders that nothing else lives in. One has the programs that
// gonb needs for every cell (gonb itself, goimports, gopls), built from versions that are
// pinned down to the last hash in tools.mod and tools.sum. The other is a kernel
// specification, which tells Jupyter how to start gonb so that cells find tiler in a
// clone of its repository. Installing again changes nothing that is as it should be;
// uninstalling removes the two folders.
//
// Python is found, never installed: what is missing is an error that names the command
// that gets it.
package jupyter
