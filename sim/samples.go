package sim

import "lull/subjects"

// samples delivers telemetry: some every second, from every host. Readers may keep a usage until
// their host's next one, a second later, thousands of times the network's latency. Where it may be
// late or repeated, each is a copy, from a block of them.
type samples struct {
	copied bool
	usages []subjects.Usage
	beats  []subjects.Beat
}

func newSamples(s *Scenario) samples {
	return samples{copied: s.Faults != nil || s.Telemetry < sampleEvery}
}

func (s *samples) usage(u *subjects.Usage) *subjects.Usage {
	if !s.copied {
		return u
	}
	return take(&s.usages, *u)
}

func (s *samples) beat(b subjects.Beat) *subjects.Beat { return take(&s.beats, b) }

func take[T any](block *[]T, value T) *T {
	const size = 256
	if len(*block) == 0 {
		*block = make([]T, size)
	}
	t := &(*block)[0]
	*block, *t = (*block)[1:], value
	return t
}
