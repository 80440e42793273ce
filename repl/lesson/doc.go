// Package lesson is the puzzles at the prompt: which one is being worked on, and when a kernel is judged.
package lesson
