package subjects

import "fmt"

// Speeds is how fast a host's tasks read, and which of them are stopped, once a second while any runs. It is for people: no
// service decides on it. The slotter returns the latest one in its answers.
type Speeds struct {
	Host  string  `msgpack:"-"`
	Tasks []Speed `msgpack:"tasks"` // by attempt
}

// Speed is how fast one attempt reads its input.
type Speed struct {
	Attempt uint64 `msgpack:"attempt"`
	// Rate is what it read over the last second, in bytes/s.
	Rate float64 `msgpack:"rate"`
	// Reference is its set rate, in bytes/s; 0 for no limit.
	Reference float64 `msgpack:"reference,omitempty"`
	// Cap is the cores that it is held to, 0 for all that it can use.
	Cap float64 `msgpack:"cap,omitempty"`
	// Short means that it cannot reach its set rate, however much CPU it gets.
	Short bool `msgpack:"short,omitempty"`
	// Storing is the bytes of its output while that is committed, Stored how many of them were hashed; 0 before, and from
	// hosts of earlier releases.
	Storing int64 `msgpack:"storing,omitempty"`
	Stored  int64 `msgpack:"stored,omitempty"`
	// Stopped is the id of a process of it that was stopped by a signal such as SIGSTOP or SIGTTIN, not
	// by lull, while its others sleep; 0 for none, and from hosts of earlier releases.
	Stopped uint32 `msgpack:"stopped,omitempty"`
}

// AttemptOn names an attempt by the host that reports on it. What a host reports on an attempt of another one is not looked up.
type AttemptOn struct {
	Host    string
	Attempt uint64
}

var _ Telemetry = (*Speeds)(nil)

func (s *Speeds) from() (about, host string) { return "speed", s.Host }

func (s *Speeds) check() error {
	if err := atMost("the number of tasks", len(s.Tasks), maxSpeeds); err != nil {
		return err
	}
	for i, t := range s.Tasks {
		if i > 0 && t.Attempt <= s.Tasks[i-1].Attempt {
			return fmt.Errorf("tasks are not ascending at index %d", i)
		}
		if err := within(amount("rate", t.Rate), amount("reference", t.Reference), bound{"cap", t.Cap, 0, MaxCores},
			count("storing", t.Storing), count("stored", t.Stored)); err != nil {
			return err
		}
	}
	return nil
}
