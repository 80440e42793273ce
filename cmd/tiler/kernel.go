package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/notebooks/kernel"
)

// runKernel serves a notebook until Jupyter ends it.
func runKernel(e cli.Env, args []string) int {
	if len(args) != 1 {
		return e.Usage()
	}
	c, err := kernel.ReadConnection(args[0])
	if err != nil {
		return e.Fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	ctx, left := context.WithCancel(ctx)
	defer left()
	if os.Getenv("JPY_PARENT_PID") != "" {
		go whileParent(left)
	}
	o := kernel.Options{Version: thisBuild().String(), Learned: homeFile("learned"), Log: e.Err}
	if err := kernel.Serve(ctx, c, o, interrupts()); err != nil {
		return e.Fail(err)
	}
	return 0
}

// interrupts is told of each Ctrl-C.
func interrupts() <-chan struct{} {
	signals, out := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, os.Interrupt)
	go func() {
		for range signals {
			out <- struct{}{}
		}
	}()
	return out
}

// whileParent calls left when the process that started this one has ended without ending
// this one.
func whileParent(left func()) {
	for parent := os.Getppid(); os.Getppid() == parent; {
		time.Sleep(time.Second)
	}
	left()
}
