package queues

import "lull/slotter/capacity"

// Snapshot is what a snapshot keeps of queues.
type Snapshot struct {
	At    int64              `msgpack:"at"`
	Names []string           `msgpack:"names"`
	Slots []capacity.Account `msgpack:"slots"`
	Reads []capacity.Account `msgpack:"reads"`
	Unmet []Unmet            `msgpack:"wants,omitempty"`
}

// Save returns nil as long as no queue ever competed with another.
func (s *Set) Save() *Snapshot {
	if s.at == 0 {
		return nil
	}
	form := &Snapshot{At: s.at}
	for _, q := range s.byName {
		form.Names, form.Slots, form.Reads = append(form.Names, q.Name), append(form.Slots, q.Slots), append(form.Reads, q.Reads)
		form.Unmet = append(form.Unmet, q.Unmet)
	}
	return form
}

// Load takes over what Save returned, for the queues that have live jobs.
func (s *Set) Load(form *Snapshot) {
	if form == nil {
		return
	}
	s.at = form.At
	for i, name := range form.Names {
		if q := s.of[name]; q != nil && i < min(len(form.Slots), len(form.Reads)) {
			q.Slots, q.Reads = form.Slots[i], form.Reads[i]
			if i < len(form.Unmet) {
				q.Unmet = form.Unmet[i]
			}
		}
	}
}
