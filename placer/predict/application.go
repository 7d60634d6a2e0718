package predict

import (
	"fmt"
	"math"

	"lull/subjects/tct"
)

// Kind is what a task reads of an earlier stage.
type Kind uint8

// Values of Kind.
const (
	Part  Kind = iota // a part of each task's output: a shuffle
	All               // all of each task's output
	Same              // the output of the task with its own number; predicted to stand on any host
	After             // nothing: the stage only waits
)

// From is an earlier stage that a stage reads.
type From struct {
	Stage int
	Kind  Kind
}

// Held is what the tasks of a stage that is complete left on a host.
type Held struct {
	Host  int // index among the snapshot's hosts
	Bytes float64
	Files int
}

// Stage describes a stage of an application.
type Stage struct {
	From     []From
	Tasks    int
	AtOnce   int        // of Tasks that run at once at most; 0: no bound
	Input    float64    // bytes that a task reads beside From, on its own host
	Gives    float64    // bytes written for each byte read: the selectivity
	Curve    *tct.Curve // seconds of a task, for tasks of this size
	Overhead float64    // seconds that each task takes beside
	// Held says that the stage is complete, and where its output stands. It has no other
	// tasks then.
	Held []Held
}

// Application describes a job. Each stage reads only stages before it.
type Application struct {
	Stages []Stage
}

// Widest is the number of tasks that run at once of the stage with the most.
func (a *Application) Widest() int {
	most := 0
	for _, s := range a.Stages {
		n := s.Tasks
		if s.AtOnce > 0 {
			n = min(n, s.AtOnce)
		}
		most = max(most, n)
	}
	return most
}

// Moves reports whether any stage reads another's output.
func (a *Application) Moves() bool {
	for _, s := range a.Stages {
		for _, from := range s.From {
			if from.Kind != After {
				return true
			}
		}
	}
	return false
}

// check returns what is wrong with the application on so many hosts.
func (a *Application) check(hosts int) error {
	for i, s := range a.Stages {
		if err := s.check(i, hosts); err != nil {
			return fmt.Errorf("stage %d: %w", i, err)
		}
	}
	return nil
}

func (s *Stage) check(i, hosts int) error {
	for _, from := range s.From {
		if from.Stage < 0 || from.Stage >= i {
			return fmt.Errorf("it reads stage %d, which is not an earlier one", from.Stage)
		}
	}
	for _, held := range s.Held {
		if held.Host < 0 || held.Host >= hosts {
			return fmt.Errorf("its output is held by host %d, which is not in the snapshot", held.Host)
		}
	}
	switch {
	case len(s.Held) > 0:
		return nil
	case s.Tasks < 1:
		return fmt.Errorf("it has %d tasks, want at least 1", s.Tasks)
	case s.Curve == nil:
		return fmt.Errorf("it has no completion-time curve")
	}
	for _, x := range []float64{s.Input, s.Gives, s.Overhead} {
		if !(x >= 0) || math.IsInf(x, 1) {
			return fmt.Errorf("its input, selectivity or overhead is %v, want a finite number, 0 or more", x)
		}
	}
	return nil
}
