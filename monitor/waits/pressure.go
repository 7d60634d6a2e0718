package waits

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// pressure is the sensor that reads the stall information (PSI) of the primary's cgroups: for how
// long at least one thread waited. The cause is unknown, so Delayed is all of it.
type pressure struct{ groups []string }

func openPressure(cfg Config) (source, error) {
	if len(cfg.Primary) == 0 {
		return nil, errors.New("no cgroup is named as the primary's")
	}
	return &pressure{cfg.Primary}, nil
}

func (p *pressure) read() (r Reading, err error) {
	r.Name = "PSI"
	for _, group := range p.groups {
		for _, field := range []struct {
			into      *float64
			file, key string
		}{{&r.Ran, "cpu.stat", "usage_usec "}, {&r.Runnable, "cpu.pressure", "some total="}, {&r.Blocked, "io.pressure", "some total="}} {
			micros, err := readCounter(filepath.Join(group, field.file), field.key)
			if err != nil {
				return Reading{}, err
			}
			*field.into += micros / 1e6
		}
	}
	r.Delayed = r.Runnable
	return r, nil
}

// readCounter finds the number behind a key, "usage_usec " or "some total=": the first word begins
// the line, and others may stand between it and the rest.
func readCounter(file, key string) (float64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	first, second, _ := strings.Cut(key, " ")
	for line := range bytes.Lines(text) {
		name, rest, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		if name != first {
			continue
		}
		_, number, ok := strings.Cut(rest, second)
		n, err := strconv.ParseUint(number, 10, 64)
		if !ok || err != nil {
			return 0, fmt.Errorf("%s: %q has no whole number behind %q", file, rest, second)
		}
		return float64(n), nil
	}
	return 0, fmt.Errorf("%s has no line %q", file, first)
}

func (p *pressure) histogram() (Histogram, bool) { return Histogram{}, false }
func (p *pressure) close() error                 { return nil }
