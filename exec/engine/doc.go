// Package engine makes optimised functions runnable, in the portable engine or as machine code of a tier, and says
// which engines there are on this machine. What an engine is told of a launch is a Launch; what it does of it is a Job.
package engine
