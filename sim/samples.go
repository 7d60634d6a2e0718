package sim

import "lull/subjects"

// samples hands telemetry out from blocks: there is some of it every second,
// from every host. What was handed out is its readers' to keep.
type samples struct {
	usages []subjects.Usage
	beats  []subjects.Beat
}

func (s *samples) usage() *subjects.Usage { return take(&s.usages) }

func (s *samples) beat() *subjects.Beat { return take(&s.beats) }

func take[T any](block *[]T) *T {
	const size = 256
	if len(*block) == 0 {
		*block = make([]T, size)
	}
	t := &(*block)[0]
	*block = (*block)[1:]
	return t
}
