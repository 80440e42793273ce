// Package corpus is the kernels that all engines are compared on, each with what it is run on: types,
// operations, sizes.
package corpus
