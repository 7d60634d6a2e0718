package ledger

// Lists calls take with the task lists of jobs whose tasks may run or run again, which excludes
// summaries and rejected jobs. It looks at up to most jobs submitted after sequence after, and
// returns the sequence of the last one, or 0 if there are no more.
func (s *State) Lists(after uint64, most int, take func(list string)) (next uint64) {
	first := s.order.Before(func(j *Job) bool { return j.Seq > after })
	for i := first; i < s.order.Len(); i++ {
		j := s.order.At(i)
		if i-first == most {
			return s.order.At(i - 1).Seq
		}
		if j.Phase == Rejected || len(j.Stages) == 0 {
			continue
		}
		for _, st := range j.Spec().Stages {
			if st.List != "" {
				take(st.List)
			}
			for _, sent := range st.Sent {
				take(sent.Content)
			}
		}
	}
	return 0
}
