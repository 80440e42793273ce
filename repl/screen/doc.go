// Package screen is what a session shows, and where: pictures of values and errors, remarks, and how far a launch is.
//
// A Screen writes one thing at a time, and wipes progress away before anything else comes; its settings are what :set
// changes. A View adds how the values and errors of cells look.
package screen
