// Package scan is the text of cells as far as its tokens tell: how it is read from a file and cut
// into cells, whether one is complete or a command, and which declarations and statements it has.
package scan
