//go:build race

package tilelang_test

const raceEnabled = true
