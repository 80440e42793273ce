// Package strided moves elements that a shape arranges in memory: loops over slices that copy,
// gather and fill.
//
// Lanes are a shape's elements in row-major order. Rows walks them, a part of a row at a time. A
// Nest is a loop nest that copies from strides to strides. A Line is elements given by a formula,
// start + Σ index·step, which are written out or are the addresses of others. LoadLanes and
// StoreLanes go to one address a lane, and tell the first that is outside.
//
// It knows shapes and dtypes, and nothing of values, steps or registers.
package strided
