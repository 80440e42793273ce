// Package amd64 turns tile IR into machine code for AVX2 or AVX-512: instruction
// selection over loop nests, register allocation, frames, emission. Its assembler is
// package asm, its executable pages are package codemem's. What machine code does not
// do itself it leaves to Go through exits to helpers.
package amd64
