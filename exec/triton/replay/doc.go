// Package replay runs recorded launches of Triton kernels, and compares what they leave in
// memory with what a GPU left.
//
// An archive holds Python files, and for each launch its arguments (launch.json) and the
// bytes of the storages that they view, before and after (archive.go). Each launch runs
// interpreted and in every engine, which must leave the same bits (run.go), and then within a
// tolerance the GPU's (compare.go). One that fails, or differs, is checked: an access out of
// bounds or a race explains it.
package replay
