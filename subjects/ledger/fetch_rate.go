package ledger

// FetchRate is how fast tasks of the pool fetch the outputs of earlier stages from other hosts, in
// bytes/s, as the model says that was fitted last and knows it; 0 if none does.
func (s *State) FetchRate() float64 { return s.fetchRate }

// findFetchRate follows a change of the models. It depends on those that are kept alone, so that a
// state from a snapshot finds the same.
func (s *State) findFetchRate() {
	s.fetchRate = 0
	latest := uint64(0)
	for _, name := range s.models.names {
		if f, at := s.models.of[name], s.models.at[name]; f.Fetch > 0 && at >= latest {
			s.fetchRate, latest = f.Fetch, at
		}
	}
}
