//go:build !linux

package bench

// Only Linux lets a process be kept on processors in a way that is used here.

func cores() []int                              { return nil }
func bind([]int)                                {}
func pin([]int) (undo func())                   { return func() {} }
func startOn(_ []int, start func() error) error { return start() }
func freeMemory() int                           { return 0 }
