package cgroup

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Pressure is one line of pressure stall information: the share of time, in
// percent, in which some or all processes waited for the resource.
type Pressure struct {
	Avg10, Avg60, Avg300 float64
	Total                uint64 // microseconds
}

// Stall is a resource's pressure. Full is zero where the kernel has no such line.
type Stall struct{ Some, Full Pressure }

// SystemPressure reads the whole host's stall of "cpu", "memory" or "io".
func (c Capabilities) SystemPressure(resource string) (Stall, error) {
	return readFile(dir(c.path("proc/pressure")), resource, parseStall)
}

// Pressure reads the stall of all tasks of this agent. It fails where
// Capabilities.Pressure is absent.
func (t *Tree) Pressure(resource string) (Stall, error) {
	if !t.caps.Pressure.OK() {
		return Stall{}, fmt.Errorf("pressure of %s: %w", resource, ErrAbsent)
	}
	return readFile(t.in(t.caps.Pressure), resource+".pressure", parseStall)
}

// parseStall reads a pressure file, see proc_pressure(5).
func parseStall(r io.Reader) (s Stall, err error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() && err == nil {
		kind, rest, _ := strings.Cut(lines.Text(), " ")
		switch kind {
		case "some":
			s.Some, err = parsePressure(rest)
		case "full":
			s.Full, err = parsePressure(rest)
		}
	}
	if err == nil {
		err = lines.Err()
	}
	return s, err
}

func parsePressure(fields string) (p Pressure, err error) {
	for field := range strings.FieldsSeq(fields) {
		name, value, _ := strings.Cut(field, "=")
		switch name {
		case "avg10":
			p.Avg10, err = strconv.ParseFloat(value, 64)
		case "avg60":
			p.Avg60, err = strconv.ParseFloat(value, 64)
		case "avg300":
			p.Avg300, err = strconv.ParseFloat(value, 64)
		case "total":
			p.Total, err = strconv.ParseUint(value, 10, 64)
		}
		if err != nil {
			return p, fmt.Errorf("pressure %s: %w", name, err)
		}
	}
	return p, nil
}
