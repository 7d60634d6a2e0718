package monitor

import (
	"time"

	"lull/subjects"
)

// read takes one reading and returns a function that enters it in a sample. The function is nil while
// a second reading is needed to know anything. read may hang.
type read func(now time.Time) (apply func(*subjects.Usage), err error)

// source is one thing to read. Its fields belong to the monitor's loop; only
// ask and read are its goroutine's.
type source struct {
	name string
	read read
	ask  chan struct{}
	done chan struct{}

	pending bool                  // asked, not answered
	asked   time.Time             // when
	apply   func(*subjects.Usage) // last reading
	at      time.Time             // when it was taken; the monitor's start before
	failing bool                  // the state that was logged last
}

// answer is the outcome of a source's read.
type answer struct {
	source *source
	at     time.Time
	apply  func(*subjects.Usage)
	err    error
}

func newSource(name string, r read) *source {
	return &source{name: name, read: r, ask: make(chan struct{}, 1), done: make(chan struct{})}
}

// serve reads whenever it is asked, until ask is closed. Answers must have
// room for every source, so that one which was stuck can end.
func (s *source) serve(answers chan<- answer) {
	defer close(s.done)
	for range s.ask {
		at := time.Now()
		apply, err := s.read(at)
		answers <- answer{s, at, apply, err}
	}
}

// request asks for a reading, unless one is under way; then it reports false.
func (s *source) request(now time.Time) bool {
	if s.pending {
		return false
	}
	s.pending, s.asked = true, now
	s.ask <- struct{}{}
	return true
}

// stop ends the goroutine. It does not wait for one that is still reading: that ends with its read,
// and nothing can hurry it.
func (s *source) stop() {
	close(s.ask)
	if !s.pending {
		<-s.done
	}
}

// settle records an answer.
func (s *source) settle(a answer) {
	s.pending = false
	if a.err != nil {
		return
	}
	s.at = a.at
	if a.apply != nil {
		s.apply = a.apply
	}
}
