// Package nest writes loops over the elements of tiles: what is stored, reduced or kept is computed in them lane by
// lane, on demand, and accesses to tensors are checked ahead of them. It knows values, and no operation that needs
// loops of its own, but for scans that are part of others' loops.
package nest
