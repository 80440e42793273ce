// Package element is the kernels of the corpus that work on single elements, one after the other.
package element
