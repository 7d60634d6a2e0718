package serve

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
	"lull/hostctl"
	"lull/hostctl/spread"
	"lull/monitor/waits"
)

// spreadFlag says whether the primary's waiting threads are moved.
func spreadFlag(f *pflag.FlagSet, h *HostConfig) {
	f.StringVar((*string)(&h.Spread), "spread", "auto", "move threads of the primary that wait behind each other to cores where batch work\n"+
		"runs: auto (as root, beside the idle class), on or off")
}

// spreadName is the first argument of the process that moves threads.
const spreadName = "spread"

// spreader makes the command of that process. It looks at single CPUs in the
// best way there is: by the sensor, or else by the files of the primary's
// threads, if the primary is named. nil: nobody sees them.
func (s *sensor) spreader() hostctl.Spreader {
	if !answers {
		return nil
	}
	if s.from != nil {
		if records, bell, err := s.from.Share(); err == nil {
			_, _ = records.Close(), bell.Close() // each process gets its own
			return s.spreadBySensor
		}
	}
	if len(s.primary) == 0 {
		return nil
	}
	return func(note string) (*exec.Cmd, error) {
		return spreadCommand(note, "-primary", strings.Join(s.primary, ",")), nil
	}
}

func (s *sensor) spreadBySensor(note string) (*exec.Cmd, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.from == nil {
		return nil, errors.New("the sensor is closed")
	}
	records, bell, err := s.from.Share()
	if err != nil {
		return nil, err
	}
	cmd := spreadCommand(note)
	cmd.ExtraFiles = []*os.File{records, bell}
	return cmd, nil
}

func spreadCommand(note string, more ...string) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", append([]string{spreadName, "-note", note}, more...)...)
	// Nobody needs to be preempted there, and each attempt would end a wait.
	cmd.Env = append(os.Environ(), "GODEBUG=asyncpreemptoff=1")
	return cmd
}

// moveThreads is that process: it serves until its standard input ends, and returns
// the exit status.
func moveThreads(args []string) int {
	f := flag.NewFlagSet(spreadName, flag.ContinueOnError)
	note := f.String("note", "", "file of the move under way")
	primary := f.String("primary", "", "folders of the primary's cgroups; without them the sensor's files are the fourth and the fifth")
	f.SetOutput(io.Discard)
	if f.Parse(args) != nil || *note == "" {
		fmt.Fprintln(os.Stderr, "lull: `lull spread` is a part of the agent, which starts it by itself: run `lull up` or `lull agent`")
		return exit.Usage
	}
	watch, err := watchOf(*primary)
	if err == nil {
		err = spread.Serve(watch, *note, int(os.Stdin.Fd()))
	}
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, err)
	if errors.Is(err, spread.ErrHopeless) {
		return hostctl.SpreadHopeless
	}
	return 1
}

func watchOf(primary string) (spread.Watch, error) {
	if primary != "" {
		return spread.NewTasks(strings.Split(primary, ",")...)
	}
	cores, err := waits.OpenCores(os.NewFile(3, "records"), os.NewFile(4, "bell"))
	return &coreWatch{Cores: cores}, err
}

// coreWatch is the sensor's sight of single CPUs as the host's controller wants
// it.
type coreWatch struct {
	*waits.Cores
	seen []waits.Core // reused
}

func (w *coreWatch) Look(to []spread.CPU) ([]spread.CPU, error) {
	w.seen = w.Cores.Look(w.seen[:0])
	for i := range w.seen {
		to = append(to, cpuOf(&w.seen[i]))
	}
	return to, nil
}

func cpuOf(seen *waits.Core) (c spread.CPU) {
	switch {
	case seen.Primary:
		c.Runs = spread.Primary
	case seen.Batch:
		c.Runs = spread.Batch
	}
	c.Stint = seen.Stint
	for _, w := range seen.Threads[:seen.Waiting] {
		c.Add(spread.Waiter(w))
	}
	return c
}
