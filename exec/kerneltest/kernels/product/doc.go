// Package product is the kernels of the corpus that multiply matrices: all of one at once, blocks of them, several to a
// program, and with what follows a product.
package product
