package wired

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// counters reads how many bytes crossed the racks' uplinks, in the network namespace of the bridges.
type counters struct{ dev *os.File }

// sample is the number of bytes that had crossed each link at a time.
type sample struct {
	at      time.Time
	crossed []float64 // rack 0 up, rack 0 down, rack 1 up, and so on
}

// every is the interval between two samples.
const every = 50 * time.Millisecond

// openCounters opens the table of network interfaces of a namespace. A locked thread enters the namespace
// for that. The goroutine never unlocks it, so the thread ends with the goroutine.
func openCounters(space string) (*counters, error) {
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened)
	go func() {
		runtime.LockOSThread()
		f, err := enterNamespace(space)
		done <- opened{f, err}
	}()
	o := <-done
	return &counters{o.f}, o.err
}

func enterNamespace(space string) (*os.File, error) {
	ns, err := os.Open("/run/netns/" + space)
	if err != nil {
		return nil, err
	}
	defer ns.Close() //nolint:errcheck // it was only read
	if err := unix.Setns(int(ns.Fd()), unix.CLONE_NEWNET); err != nil {
		return nil, err
	}
	return os.Open("/proc/thread-self/net/dev")
}

func (c *counters) close() error { return c.dev.Close() }

// read returns the bytes that crossed each uplink so far.
func (c *counters) read() (sample, error) {
	if _, err := c.dev.Seek(0, io.SeekStart); err != nil {
		return sample{}, err
	}
	text, err := io.ReadAll(c.dev)
	if err != nil {
		return sample{}, err
	}
	return parse(string(text), time.Now())
}

// parse reads /proc/net/dev. The interface of an uplink is at the rack's side: what it sends goes up, and
// what it receives comes down.
func parse(text string, now time.Time) (sample, error) {
	s := sample{at: now, crossed: make([]float64, 2*len(uplinks))}
	found := 0
	for line := range strings.Lines(text) {
		name, rest, ok := strings.Cut(line, ":")
		rack, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(name), "up"))
		fields := strings.Fields(rest)
		if !ok || err != nil || rack >= len(uplinks) || len(fields) < 9 {
			continue
		}
		received, err1 := strconv.ParseFloat(fields[0], 64)
		sent, err2 := strconv.ParseFloat(fields[8], 64)
		if err1 != nil || err2 != nil {
			return s, fmt.Errorf("/proc/net/dev: %q", line)
		}
		s.crossed[2*rack], s.crossed[2*rack+1] = sent, received
		found++
	}
	if found != len(uplinks) {
		return s, fmt.Errorf("/proc/net/dev names %d of %d uplinks", found, len(uplinks))
	}
	return s, nil
}

// follow takes a sample at every interval until ctx ends.
func (c *counters) follow(ctx context.Context) (all []sample, err error) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		s, err := c.read()
		if err != nil {
			return all, err
		}
		all = append(all, s)
		select {
		case <-ctx.Done():
			return all, nil
		case <-tick.C:
		}
	}
}

// shuffled sums up a shuffle. bytes is what crossed all uplinks. seconds is the time in which the middle 98 % of
// that moved, without its first and last hundredth. share compares the rate in that time with the bound of
// flows that share links max–min fair and begin together: such flows keep the busiest link full all the time. So
// share is the used share of the busiest link's capacity.
func shuffled(all []sample) (seconds, share, bytes float64) {
	if len(all) < 2 {
		return 0, 0, 0
	}
	moved := func(i int) (sum float64) {
		for link := 0; link < len(all[i].crossed); link += 2 {
			sum += all[i].crossed[link] - all[0].crossed[link]
		}
		return sum
	}
	last := len(all) - 1
	bytes = moved(last)
	from, to := 0, last
	for from < last && moved(from+1) <= 0.01*bytes {
		from++
	}
	for to > from+1 && moved(to-1) >= 0.99*bytes {
		to--
	}
	seconds = all[to].at.Sub(all[from].at).Seconds()
	for link := range all[0].crossed {
		least := (all[to].crossed[link] - all[from].crossed[link]) / (float64(uplinks[link/2]) * 1e6 / 8)
		share = max(share, least/seconds)
	}
	return seconds, share, bytes
}
