package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	osexec "os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"time"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	"github.com/tiler-go/tiler/notebooks/site"
)

// playPort is where the page is served: always the same, because a browser keeps what was
// solved by address.
const playPort = 7411

func setupPlay(flags *flag.FlagSet) cli.Action {
	stay := flags.Bool("no-open", false, "do not open a browser")
	port := flags.Int("port", playPort, "serve on port `N`; 0 is any that is free")
	return func(e cli.Env, args []string) int {
		if len(args) > 1 {
			return e.Usage()
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		files, err := pageFiles(ctx, e, args)
		if err == nil {
			err = play(e, ctx, files, *port, !*stay)
		}
		return ended(e, "play", ctx, err)
	}
}

func setupSite(*flag.FlagSet) cli.Action {
	return func(e cli.Env, args []string) int {
		if len(args) != 1 {
			return e.Usage()
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		files, err := pageFiles(ctx, e, nil)
		if err == nil {
			err = files.Write(args[0])
		}
		if err == nil {
			fmt.Fprintf(e.Out, "%s: %d files, %.1f MB to load\n\tany server of files can serve it; tiler play %s does\n", args[0], len(files), float64(files.Size())/1e6, args[0])
		}
		return ended(e, "site", ctx, err)
	}
}

// ended is the exit status after an error, which it reports.
func ended(e cli.Env, what string, ctx context.Context, err error) int {
	if err == nil || ctx.Err() != nil {
		return 0
	}
	fmt.Fprintf(e.Err, "tiler %s: %v\n", what, err)
	return 1
}

// pageFiles is the page: what was written into a folder, or built now.
func pageFiles(ctx context.Context, e cli.Env, args []string) (site.Files, error) {
	if len(args) == 1 {
		return site.Read(args[0])
	}
	built, err := site.Build(ctx, func(text string) { fmt.Fprintf(e.Err, "%s …\n", text) })
	if err != nil {
		return nil, err
	}
	return site.New(built)
}

// play serves the page until it is interrupted.
func play(e cli.Env, ctx context.Context, files site.Files, port int, open bool) error {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil && port == playPort {
		fmt.Fprintf(e.Err, "port %d is taken: a browser will not find there what it kept\n", port)
		l, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return err
	}
	address := "http://" + l.Addr().String() + "/"
	fmt.Fprintf(e.Out, "tiler is at %s; Ctrl-C ends it\n", address)
	server := &http.Server{Handler: files.Handler(), ReadHeaderTimeout: 10 * time.Second}
	if open {
		if err := openBrowser(address); err != nil {
			fmt.Fprintf(e.Err, "open that address in a browser: %v\n", err)
		}
	}
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// openBrowser asks the system to show a page.
func openBrowser(address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	c := osexec.Command(name, args...)
	if err := c.Start(); err != nil {
		return err
	}
	go c.Wait()
	return nil
}
