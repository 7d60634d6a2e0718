package search

// none takes the place of a shelf in a move: as the giver when the set grows, as the taker when it
// shrinks.
const none = -1

// move sets the trial to a random neighbour of the present set: a few hosts of one shelf are exchanged for
// as many of another, or the set grows or shrinks if the problem allows fewer hosts. It returns false if it finds no neighbour.
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

// shift takes up to n hosts of the shelf from out of the trial, and puts as many of the shelf to in.
// Either may be none. It returns false if no host can be exchanged.
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

// total returns the number of hosts of the trial.
func (s *climb) total() (n int) {
	for _, k := range s.trial {
		n += k
	}
	return n
}

// step draws how many hosts to exchange: 1, 2, 4 or 8, mostly 1.
func (s *climb) step() int {
	n := 1
	for n < 8 && s.rng.IntN(3) == 0 {
		n *= 2
	}
	return n
}

// from draws the shelf that gives hosts. In half of the cases that is any shelf. In the others it is one
// of the shelves in use, most likely one of a rack with an uplink that needs long.
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

// to draws the shelf that takes hosts. In half of the cases that is any shelf. In the others it is the
// best of four: that of the rack with the uplink that would need least with one host more.
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

// after estimates how many seconds the uplink of a shelf's rack would need with one host more in the rack.
// For a rack without hosts in the set it returns a small value that is less for faster uplinks.
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
