// Package cut cuts a launch by what its addresses say, so that each piece needs only some rows of the tensors.
//
//   - A Launch (launch.go) is data: the kernel's source, the grid, and arguments, of which tensors are dtypes and
//     shapes. Compile makes a Program of it.
//   - lin.go finds how integers of the kernel's IR depend on program ids and on the rounds of loops: a constant and
//     a factor for each. It is exact, or says that it does not know.
//   - access.go finds with it, for a box of programs, a Region (region.go) that holds all that a load or store of
//     them can touch: some rows, and of these some columns, or a range of elements.
//   - plan.go halves the grid until the regions of each half fit the memory that a piece may have. Two halves of
//     which one writes what the other reads or writes are not made: then the launch is refused, with the line.
//   - shift.go rewrites the IR so that the programs of a piece know their place in the whole grid, and their addresses
//     count from where the piece's tensors begin. run.go runs it: a piece's programs are those of the whole launch,
//     with the same bits, on tensors that end where the piece's rows end.
//
// It knows nothing of files or of Beam.
package cut
