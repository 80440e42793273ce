// Package ended is the kernels of the corpus whose rows end within their blocks.
package ended
