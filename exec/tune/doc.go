// Package tune finds the fastest of some configurations of a kernel, among those whose results are right: it launches
// on private copies, compares what they leave, and measures. It knows kernels only as functions that it is given.
package tune
