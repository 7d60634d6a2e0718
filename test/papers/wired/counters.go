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

// counters read what crossed the uplinks, in the namespace of the bridges.
type counters struct{ dev *os.File }

// sample is what had crossed each link at a time: up of a rack, down of it, and so on.
type sample struct {
	at      time.Time
	crossed []float64
}

// every is how often uplinks are read.
const every = 50 * time.Millisecond

// openCounters opens the namespace's table of interfaces. The thread that enters the namespace ends with
// the goroutine, which never unlocks it.
func openCounters(space string) (*counters, error) {
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened)
	go func() {
		runtime.LockOSThread()
		f, err := enter(space)
		done <- opened{f, err}
	}()
	o := <-done
	return &counters{o.f}, o.err
}

func enter(space string) (*os.File, error) {
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

// parse reads /proc/net/dev. What a rack's side of its uplink sends goes up.
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

// follow reads until ctx ends.
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

// shuffled is how long uplinks moved what they did between the first and the last hundredth of it, the share of
// the links' max–min bound that was used meanwhile, and the bytes over all uplinks. The busiest link, full
// from the beginning to the end, is what bounds flows that share max–min and begin together.
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
