// Package trace records what program instances do, and makes a page of it.
//
// A Recorder observes interpreted launches. Of each it keeps some instances, step by step:
// the statement, the variables that it gave values to, and every access to memory with its
// lanes, where each points to, whether the mask lets it through, and what was there. The
// record is data; a page is a template over it that needs nothing but a browser.
//
// What is recorded has a limit, counted in lanes, because a launch may have millions of
// them. What is left out for it is said, never dropped in silence. An instance that fails
// is recorded, whether it was chosen or not. Of every instance that ran there is a
// footprint: which elements of which tensor it touches.
package trace
