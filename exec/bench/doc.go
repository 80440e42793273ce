// Package bench measures compiled kernels against the machine and against the best that
// a user could call instead.
//
// A row of the table (table.go) is one piece of work: a kernel with its arguments, what
// it has to compute, the limit of the machine that it comes up against, and rivals:
// libraries and compilers that do the same. Each way of doing the work is a side. The
// sides of a row take turns, a sample of some milliseconds each, in an order that
// changes with every round, so that a slower clock or a busy neighbour meets all of
// them; a ratio is the median of the rounds' ratios, not the ratio of two medians. There
// are up to twice as many rounds where tiler's samples lie far apart.
//
// The machine's limits (multiply-adds between registers, passes over memory) are sides
// of the row too: machine code of this package, measured in the same rounds.
//
// Peers run as processes of their own that are told what to do line by line
// (peers/peer.py gives the protocol). They make the same inputs by formula and their
// results are compared with the same answer as tiler's, so that what is compared in
// speed is the same work.
package bench
