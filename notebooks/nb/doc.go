// Package nb shows values in notebooks that run in gonb, Jupyter's kernel for Go.
//
//	nb.Show(tile, tensor, err)     grids, masks, pointers, errors at their cell and line
//	nb.Overlay(pointers...)        where tiles of pointers lie in their tensor
//	nb.Blocks(k, grid, args...)    the blocks that a program of a launch reads and writes
//	nb.Check(report)               what a check found
//	nb.Bench(rows)                 measurements as bars
//	nb.Keep("x", makeX)            a value that later cells need not compute again
//
// The pictures come from repl/show, which the prompt uses, too; outside a notebook the same
// calls print them as text. Every output carries two hashes, of the kernels that it
// depends on and of everything else that its cell computes from: an output whose hashes
// are not those of the cells that are there is stale. Output keeps its place between what
// the cell prints.
package nb
