package search

// none is the shelf that gives or takes where the set grows or shrinks.
const none = -1

// move makes the trial a neighbour of the present set. It returns false if it finds none.
func (s *climb) move() bool {
	if len(s.shelves) == 0 {
		return false
	}
	for range 100 {
		from, to := s.from(), s.to()
		if s.problem.Fewer {
			switch s.rng.IntN(8) {
			case 0:
				from = none
			case 1:
				to = none
			}
		}
		copy(s.trial, s.counts)
		if s.shift(from, to, s.step()) {
			return true
		}
	}
	return false
}

// shift moves up to n hosts of the trial from one shelf to another.
func (s *climb) shift(from, to, n int) bool {
	if from == to {
		return false
	}
	if from != none {
		n = min(n, s.trial[from])
	} else {
		n = min(n, s.problem.Hosts-s.total())
	}
	if to != none {
		n = min(n, len(s.shelves[to].Hosts)-s.trial[to])
	} else {
		n = min(n, s.total()-1)
	}
	if n <= 0 {
		return false
	}
	if from != none {
		s.trial[from] -= n
	}
	if to != none {
		s.trial[to] += n
	}
	return true
}

func (s *climb) total() (n int) {
	for _, k := range s.trial {
		n += k
	}
	return n
}

// step is how many hosts move: mostly one.
func (s *climb) step() int {
	n := 1
	for n < 8 && s.rng.IntN(3) == 0 {
		n *= 2
	}
	return n
}

// from is the shelf that gives: every other time one whose rack needs longest of a few.
func (s *climb) from() int {
	best := s.rng.IntN(len(s.shelves))
	if s.rng.IntN(2) == 0 {
		return best
	}
	for i := range s.shelves {
		switch longer := s.busy[s.shelves[i].Rack] - s.busy[s.shelves[best].Rack]; {
		case s.counts[i] == 0:
		case s.counts[best] == 0 || longer > 0 && s.rng.IntN(4) > 0:
			best = i
		}
	}
	return best
}

// to is the shelf that takes: every other time one whose rack has most time to spare of a few.
func (s *climb) to() int {
	best := s.rng.IntN(len(s.shelves))
	if s.rng.IntN(2) == 0 {
		return best
	}
	for range 3 {
		if i := s.rng.IntN(len(s.shelves)); s.after(i) < s.after(best) {
			best = i
		}
	}
	return best
}

// after is how long the uplink of a shelf's rack would need with a host more.
func (s *climb) after(i int) float64 {
	r := s.shelves[i].Rack
	up := s.problem.Snapshot.Tree.Racks[r]
	n := 0
	for j, k := range s.counts {
		if s.shelves[j].Rack == r {
			n += k
		}
	}
	if n == 0 {
		return 1 / min(up.Up, up.Down)
	}
	return s.busy[r] * float64(n+1) / float64(n)
}
