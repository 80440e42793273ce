// Package lower turns a kernel of Triton's Python into tile IR.
//
// Load reads a file; File.Lower specialises one of its kernels for the dtypes of its
// tensors, the types of its numbers and its compile-time values, and runs it abstractly:
// it walks the syntax tree as Python would, with values that are known now (constants,
// dtypes, shapes, functions, None) or that a value of the IR will hold. What is known
// decides what is lowered: a branch whose condition is known is taken, functions are
// inlined, tl.static_range is unrolled.
//
// Typing is Triton's. Assigning a number makes a scalar of it (x = 0 is an int32), a
// number in an expression takes the type of what it meets, scalars are 32 bits wide
// unless they do not fit, and wrap. Rules about shapes and dtypes are those of package
// op, which the language's own functions and the front end of Go ask, too.
//
// What expressions hold, and operators on it, is package value; a call of a function of the
// language is a row of package builtin's table, or a function of prelude.py. Variables are a map
// from names to values. A run-time if or loop is lowered on copies of it, by package flow.
//
// What is outside the language is refused with a diagnostic that says where, what and what
// to write instead; the first one ends the lowering.
package lower
