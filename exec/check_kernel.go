package exec

import "github.com/tiler-go/tiler/exec/check"

// A Report is what a check found: data that prints as text and marshals to JSON.
type Report = check.Report

// A Finding is one thing that a check found, at one line of the kernel.
type Finding = check.Finding
