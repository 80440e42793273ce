// Package fold writes reductions and scans of tiles in nests, or over tiles that lie in memory. How lanes combine is
// not known here.
package fold
