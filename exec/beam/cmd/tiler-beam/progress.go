package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	tilerbeam "github.com/tiler-go/tiler/exec/beam"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// progress says how far a job is: on a terminal in a line that stays, else in a line now and then.
type progress struct {
	w            io.Writer
	rows, pieces int
	begin        time.Time
	watch        *tilerbeam.Watch
}

// grace is how long a job that is cancelled may take to end.
const grace = 10 * time.Second

// until waits for the end of a job.
func (p *progress) until(ctx context.Context, result <-chan error) error {
	terminal := false
	if f, ok := p.w.(*os.File); ok {
		info, err := f.Stat()
		terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	every := 10 * time.Second
	if terminal {
		every = 500 * time.Millisecond
		defer fmt.Fprint(p.w, "\r\x1b[K")
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	done := ctx.Done()
	var late <-chan time.Time
	for {
		select {
		case err := <-result:
			return err
		case <-done:
			done, late = nil, time.After(grace)
		case <-late:
			return errors.New("the job does not end")
		case now := <-tick.C:
			if terminal {
				fmt.Fprintf(p.w, "\r\x1b[K%s", p.line(now))
			} else {
				fmt.Fprintln(p.w, p.line(now))
			}
		}
	}
}

// line is how far the job is, as far as it runs in this process.
func (p *progress) line(now time.Time) string {
	rows, took := p.watch.Rows(), now.Sub(p.begin)
	if rows == 0 {
		return fmt.Sprintf("%d rows in %d pieces: %v", p.rows, p.pieces, took.Round(time.Second))
	}
	rate := float64(rows) / took.Seconds()
	left := time.Duration(float64(p.rows-rows) / rate * float64(time.Second))
	return fmt.Sprintf("%d of %d rows, %.4g rows/s, %v left", rows, p.rows, rate, left.Round(time.Second))
}

// async reports whether the job was only submitted.
func (o *options) async() bool { return *jobopts.Async }

// alone reports whether the only worker is this process.
func alone() bool {
	runner := flag.Lookup("runner").Value.String() // "" is prism
	here := *jobopts.Endpoint == "" && slices.Contains([]string{"", "prism", "direct"}, runner)
	return here || strings.EqualFold(*jobopts.EnvironmentType, "loopback")
}

// cancelRemote cancels the job at its server, if it has one of its own.
func cancelRemote() {
	if *jobopts.Endpoint == "" {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), grace)
	defer stop()
	conn, err := grpc.NewClient(*jobopts.Endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return
	}
	defer conn.Close()
	client := jobmanagement_v1.NewJobServiceClient(conn)
	jobs, err := client.GetJobs(ctx, &jobmanagement_v1.GetJobsRequest{})
	if err != nil {
		return // a server that is gone has no job
	}
	for _, j := range jobs.GetJobInfo() {
		if j.GetJobName() == jobopts.GetJobName() {
			_, _ = client.Cancel(ctx, &jobmanagement_v1.CancelJobRequest{JobId: j.GetJobId()}) // it may have ended
		}
	}
}
