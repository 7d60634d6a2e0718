package sense

import (
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"lull/hostctl/spread"
	"lull/hostctl/spreading"
	"lull/monitor/waits"
)

// Spreader returns the command of the process that moves the primary's waiting threads. It appends
// arguments to the given command, which must pass them to MoveThreads. The process reads single
// CPUs by the sensor, or else by the files of the primary's threads if the primary is named. The
// result is nil where neither is possible, or without a command.
func (s *Sensor) Spreader(command []string) spreading.Command {
	if len(command) == 0 {
		return nil
	}
	if records, bell, err := s.share(); err == nil {
		_, _ = records.Close(), bell.Close() // each process gets its own
		return func(note string) (*exec.Cmd, error) { return s.spreadBySensor(command, note) }
	}
	if len(s.primary) == 0 {
		return nil
	}
	return func(note string) (*exec.Cmd, error) {
		return spreadCommand(command, note, "-primary", strings.Join(s.primary, ",")), nil
	}
}

func (s *Sensor) spreadBySensor(command []string, note string) (*exec.Cmd, error) {
	records, bell, err := s.share()
	if err != nil {
		return nil, err
	}
	cmd := spreadCommand(command, note)
	cmd.ExtraFiles = []*os.File{records, bell}
	return cmd, nil
}

// share opens the sensor's files for another process.
func (s *Sensor) share() (records, bell *os.File, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mu.from == nil {
		return nil, nil, errors.New("the sensor is closed")
	}
	return s.mu.from.Share()
}

func spreadCommand(command []string, note string, more ...string) *exec.Cmd {
	args := slices.Concat(command[1:], []string{"-note", note}, more)
	cmd := exec.Command(command[0], args...)
	// Nothing needs to be preempted there, and each attempt would end a wait.
	cmd.Env = append(os.Environ(), "GODEBUG=asyncpreemptoff=1")
	return cmd
}

// ErrNotStartedByAgent says that the process that moves threads was not started by an agent.
var ErrNotStartedByAgent = errors.New("`lull spread` is a part of the agent, which starts it by itself: run `lull up` or `lull agent`")

// MoveThreads is what that process does until its standard input ends. Its arguments are those
// that the Spreader gave. The error is ErrNotStartedByAgent for others, and spread.ErrImmovable where no
// thread can be moved.
func MoveThreads(args []string) error {
	f := flag.NewFlagSet("spread", flag.ContinueOnError)
	note := f.String("note", "", "file of the move under way")
	primary := f.String("primary", "", "folders of the primary's cgroups; without them the sensor's files are the fourth and the fifth")
	f.SetOutput(io.Discard)
	if f.Parse(args) != nil || *note == "" {
		return ErrNotStartedByAgent
	}
	watch, err := watchOf(*primary)
	if err != nil {
		return err
	}
	return spread.Serve(watch, *note, int(os.Stdin.Fd()))
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
