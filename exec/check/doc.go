// Package check says what was found wrong with a kernel, as data, as text and as JSON.
//
// A Report is of one launch, or of several that were merged: Findings, each at a line of
// the kernel, with those under them that follow from them, how many of the lanes did
// something, and what was tried beyond the arguments. Options say what a check does.
// What finds these things is in check/sanitizer, what runs the launch in check/launch.
package check
