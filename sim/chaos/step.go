package chaos

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"lull/sim"
)

// Step is one fault of a script.
type Step struct {
	// At is when the fault begins, and For how long it lasts. A fault of effects hits all effects in that
	// time; if For is 0, only the first one from At on.
	At, For time.Duration
	// Do names the fault, a key of kinds.
	Do string
	// Target is what is hit: a replica ("slotter/0"), an agent ("host/a"), a host ("a"), or "*" for all.
	// "third" is every third host.
	Target string
	// Op is the effect that a fault of effects hits.
	Op sim.Op
	// By is the length of a delay or of the downtime after a crash, or the offset of a clock.
	By time.Duration
}

// String returns the step as a line of a script.
func (s Step) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v %s %s", s.At, s.Do, s.Target)
	if s.Op != "" {
		fmt.Fprintf(&b, " op=%s", s.Op)
	}
	if s.For != 0 {
		fmt.Fprintf(&b, " for=%v", s.For)
	}
	if s.By != 0 {
		fmt.Fprintf(&b, " by=%v", s.By)
	}
	return b.String()
}

// ParseStep reads what String writes.
func ParseStep(line string) (Step, error) {
	words := strings.Fields(line)
	if len(words) < 3 {
		return Step{}, fmt.Errorf("%q: write TIME FAULT TARGET [op=EFFECT] [for=TIME] [by=TIME]", line)
	}
	at, err := time.ParseDuration(words[0])
	if err != nil {
		return Step{}, fmt.Errorf("%q: %w", line, err)
	}
	s := Step{At: at, Do: words[1], Target: words[2]}
	for _, word := range words[3:] {
		if err := s.set(word); err != nil {
			return Step{}, fmt.Errorf("%q: %w", line, err)
		}
	}
	return s, s.check()
}

// set parses one of the options op=, for= and by=.
func (s *Step) set(word string) (err error) {
	switch name, value, _ := strings.Cut(word, "="); name {
	case "op":
		s.Op = sim.Op(value)
	case "for":
		s.For, err = time.ParseDuration(value)
	case "by":
		s.By, err = time.ParseDuration(value)
	default:
		err = fmt.Errorf("%q is not an option: write op=EFFECT, for=TIME or by=TIME", word)
	}
	return err
}

// check returns an error for an unknown fault, or one whose effect is missing, unknown or too many.
func (s *Step) check() error {
	kind, known := kinds[s.Do]
	switch {
	case !known:
		return fmt.Errorf("%q is not a fault: write one of %s", s.Do, strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
	case kind.effect && !slices.Contains(sim.Ops, s.Op):
		return fmt.Errorf("%s acts on an effect: add op= with one of %v", s.Do, sim.Ops)
	case !kind.effect && s.Op != "":
		return fmt.Errorf("%s is not a fault of an effect: remove op=", s.Do)
	}
	return nil
}

// Script is the seed from which a pool is drawn, and the faults that happen there.
type Script struct {
	Seed  uint64
	Steps []Step
}

// String returns the script as the text that ParseScript reads.
func (s *Script) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d\n", s.Seed)
	for _, step := range s.Steps {
		b.WriteString(step.String() + "\n")
	}
	return b.String()
}

// ParseScript reads a script: a line "seed N", then one step a line. It skips empty
// lines and comments, which begin with #.
func ParseScript(r io.Reader) (*Script, error) {
	s := &Script{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if _, err := fmt.Sscanf(line, "seed %d", &s.Seed); err == nil {
			continue
		}
		step, err := ParseStep(line)
		if err != nil {
			return nil, err
		}
		s.Steps = append(s.Steps, step)
	}
	return s, lines.Err()
}
