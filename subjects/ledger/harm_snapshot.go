package ledger

import (
	"fmt"
	"slices"
)

// tollForm is a Toll in a snapshot. Its last day is listed by hour, the oldest
// first, up to Last.
type tollForm struct {
	Tenant string `msgpack:"tenant"`
	Host   string `msgpack:"host"`
	Sensor string `msgpack:"sensor"`
	Since  int64  `msgpack:"since"`
	Total  Harm   `msgpack:"total"`
	Last   int64  `msgpack:"last"`
	Day    []Harm `msgpack:"day"`
}

func (s *State) packTolls() []tollForm {
	forms := make([]tollForm, len(s.tolls))
	for i, t := range s.tolls {
		forms[i] = tollForm{Tenant: t.Tenant, Host: t.Host, Sensor: t.Sensor, Since: t.Since, Total: t.Total, Last: t.last, Day: t.ordered()}
	}
	return forms
}

// ordered lists the last day's hours, the oldest first, less those before the
// first in which anything happened.
func (t *Toll) ordered() (day []Harm) {
	for h := max(t.last-hours+1, 0); h <= t.last; h++ {
		if harm := t.days[h%hours]; len(day) > 0 || harm != (Harm{}) {
			day = append(day, harm)
		}
	}
	return day
}

func (s *State) loadTolls(forms []tollForm) error {
	for i := range forms {
		f := &forms[i]
		at, known := s.toll(f.Tenant, f.Host)
		if known || at != len(s.tolls) || len(f.Day) > hours || f.Last < 0 {
			return fmt.Errorf("what tenant %q suffered on host %q is there twice, or not in its place", f.Tenant, f.Host)
		}
		t := &Toll{Tenant: f.Tenant, Host: f.Host, Sensor: f.Sensor, Since: f.Since, Total: f.Total, last: f.Last}
		for i, harm := range slices.Backward(f.Day) {
			if hour := f.Last - int64(len(f.Day)-1-i); hour >= 0 {
				t.days[hour%hours] = harm
			}
		}
		s.tolls = append(s.tolls, t)
	}
	return nil
}
