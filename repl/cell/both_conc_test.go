package cell_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

func channels() string {
	c := make(chan int, 3)
	go func() {
		for i := range 5 {
			c <- i * i
		}
		close(c)
	}()
	s := 0
	for v := range c {
		s += v
	}
	v, ok := <-c
	return fmt.Sprint(s, v, ok, len(c), cap(c))
}
func waitGroups() string {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for i := range 10 {
		wg.Add(1)
		go func(k int) {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			n += k * i
		}(i)
	}
	wg.Wait()
	return fmt.Sprint(n)
}
func waitGroupGo() string {
	var wg sync.WaitGroup
	var n atomic.Int64
	for i := range 4 {
		wg.Go(func() { n.Add(int64(i)) })
	}
	wg.Wait()
	return fmt.Sprint(n.Load())
}
func selects() string {
	a, b, quit := make(chan int), make(chan string), make(chan bool)
	go func() {
		a <- 1
		b <- "x"
		a <- 2
		close(quit)
	}()
	s := ""
	for {
		select {
		case n := <-a:
			s += fmt.Sprint(n)
		case t, ok := <-b:
			s += fmt.Sprint(t, ok)
		case <-quit:
			return s
		}
	}
}
func selectDefault() string {
	c := make(chan int, 1)
	s := ""
	for range 2 {
		select {
		case c <- 7:
			s += "sent "
		default:
			s += "full "
		}
	}
	select {
	case v := <-c:
		s += fmt.Sprint(v)
	default:
		s += "empty"
	}
	var nilChan chan int
	select {
	case <-nilChan:
	default:
		s += " nil"
	}
	return s
}
func selectTimeout() string {
	c := make(chan int)
	select {
	case <-c:
		return "no"
	case <-time.After(5 * time.Millisecond):
		return "timeout"
	}
}
func pipeline() string {
	gen := func(n int) <-chan int {
		out := make(chan int)
		go func() {
			defer close(out)
			for i := range n {
				out <- i
			}
		}()
		return out
	}
	square := func(in <-chan int) <-chan int {
		out := make(chan int)
		go func() {
			defer close(out)
			for v := range in {
				out <- v * v
			}
		}()
		return out
	}
	s := 0
	for v := range square(square(gen(5))) {
		s += v
	}
	return fmt.Sprint(s)
}
func workers() string {
	jobs, results := make(chan int, 20), make(chan [2]int, 20)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				results <- [2]int{j, fibc(j)}
			}
		}()
	}
	for i := range 12 {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	close(results)
	s := 0
	for r := range results {
		s += r[0]*1000 + r[1]
	}
	return fmt.Sprint(s)
}
func contexts() string {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		<-ctx.Done()
		done <- ctx.Err()
	}()
	cancel()
	return fmt.Sprint(<-done, ctx.Err() == context.Canceled)
}
func onces() string {
	var once sync.Once
	n := 0
	for range 3 {
		once.Do(func() { n++ })
	}
	return fmt.Sprint(n)
}
func channelOfErrors() string {
	c := make(chan error, 2)
	c <- nil
	c <- fmt.Errorf("e")
	a, b := <-c, <-c
	return fmt.Sprint(a == nil, b)
}
func channelOfFuncs() string {
	c := make(chan func(int) int, 1)
	c <- func(n int) int { return n * 2 }
	f := <-c
	return fmt.Sprint(f(4))
}
func goArguments() string {
	out := make(chan string, 3)
	x := 1
	send := func(s string, n int) { out <- fmt.Sprint(s, n) }
	go send("a", x)
	x = 2
	a := <-out
	go send("b", x)
	return a + <-out
}
func closeTwice() (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	c := make(chan int)
	close(c)
	close(c)
	return "no"
}
func fibc(n int) int {
	if n < 2 {
		return n
	}
	return fibc(n-1) + fibc(n-2)
}

var concPrograms = []func() string{
	channels, waitGroups, waitGroupGo, selects, selectDefault, selectTimeout, pipeline, workers, contexts, onces, channelOfErrors,
	channelOfFuncs, goArguments, closeTwice,
}
