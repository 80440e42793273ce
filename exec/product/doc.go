// Package product says when all instances of a grid are one matrix product, and how that is cut into tasks; it writes
// no code and knows no registers.
//
//   - Find (match.go) finds in a Func a loop that adds Dots of blocks of two tensors, and the store of what becomes of
//     the accumulator: a Match.
//   - Match.Launch (launch.go, inside.go) decides from a launch's arguments whether its instances are blocks of one
//     product: they lie side by side, masks belong to ragged edges, addresses lie inside their tensors.
//     Where control flow stands around them, each time that the loop is carried out is an instance: the launch's
//     scalars are followed to find them (walk.go). Three rounds of the loop and the last speak for all, as all in
//     addresses and masks moves evenly (even.go).
//     Rows of A that loaded numbers pick (picked.go) are a product's, too: Launch.From says where they begin.
//     So is a B that is computed (made.go): of loads that reach says read nothing outside of their tensors. Launch.Made
//     says what its blocks depend on, and Match.Maker is a Func that makes them.
//   - Match.Epilogue (epilogue.go) is a Func of what is done with a block of accumulators, Match.Ending (ending.go) the
//     part of it that a micro-kernel may do in registers.
//   - cut cuts C into tasks.
//
// Matrix products are C = A × B, with K the inner dimension. Each element of C is the same chain of additions along K
// as in its instance, so its bits are the same.
package product
