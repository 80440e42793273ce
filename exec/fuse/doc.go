// Package fuse decides where each tile of a Func lives, and in whose loop it is computed; it writes no code and knows
// no lanes. The result is a Schedule, which prints.
//
//   - Placement (place.go): a tile is computed again in the loop of each of its users, or kept in scratch memory; a
//     load is moved to its use, unless something may change what it reads, or show that it has failed too late.
//   - Prefetch (prefetch.go): which loads and stores a pass prefetches for.
//   - Overlap (overlap.go): which instances are software-pipelined with the next one.
package fuse
