// Package publisher is the program that publishes a job's outputs. An agent runs it like a
// task: in their class, as their user, and behind a fence around the output folder. Its
// standard input is a publish.Plan and then the files' bytes, one after the other, so it
// needs no access to the store.
package publisher

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync/atomic"

	"lull/client/publish"
	"lull/hostctl/contain"

	"golang.org/x/sys/unix"
)

// Exit statuses of Main beside 0 and 1.
const (
	// StatusFull says that the output's disk has no room now, and the plan waits for it.
	StatusFull = 3
	// StatusOvertaken says that another attempt of the same job was faster.
	StatusOvertaken = 4
	// StatusDamaged says that a file's bytes are wrong. None of the results stands.
	StatusDamaged = 5
)

// Main publishes its standard input and returns the exit status. The last line of its
// standard error is the error. It must run on the main goroutine.
func Main() int {
	runtime.LockOSThread() // the fence restricts this thread, which alone writes
	content := &patient{from: bufio.NewReaderSize(os.Stdin, 256<<10)}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, unix.SIGTERM)
	go func() { <-stop; content.stopped.Store(true) }()
	plan, err := publish.ReadPlan(content)
	if err == nil {
		var replaced []publish.Replaced
		replaced, err = publish.Publish(plan, content, before(plan))
		for _, r := range replaced {
			fmt.Println(r) // the log of the publishing task
		}
	}
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, strings.ReplaceAll(err.Error(), "\n", "; "))
	switch {
	case plan.RetriesWhenFull && publish.IsFull(err) && !errors.Is(err, publish.ErrTooSmall):
		return StatusFull
	case errors.Is(err, publish.ErrOvertaken):
		return StatusOvertaken
	case errors.Is(err, publish.ErrDamaged):
		return StatusDamaged
	}
	return 1
}

// patient reads until the process is asked to end, so that Main can tidy up.
type patient struct {
	from    io.Reader
	stopped atomic.Bool
}

func (r *patient) Read(b []byte) (int, error) {
	if r.stopped.Load() {
		return 0, errors.New("asked to stop")
	}
	return r.from.Read(b)
}

// before returns what a plan asks for before anything is written.
func before(p publish.Plan) func(output int) error {
	if p.Fence {
		return fence
	}
	return nil
}

// fence restricts this thread to writing below the output. Without REFER the kernel would
// refuse renames from one folder to another.
func fence(output int) error {
	abi := contain.ABI()
	if abi < contain.WithRefer {
		return nil
	}
	fd, err := contain.FenceAround(abi, output)
	if err != nil {
		return err
	}
	return errors.Join(contain.Restrict(fd), unix.Close(fd))
}
