package tenure

import (
	"fmt"
	"maps"
	"slices"

	"lull/subjects"
	"lull/subjects/ledger"
)

// Form is Hosts in a snapshot.
type Form struct {
	Owners []subjects.OwnedHosts `msgpack:"owners,omitempty"`
	Hosts  []hostForm            `msgpack:"hosts,omitempty"` // by name
}

type hostForm struct {
	Name  string `msgpack:"name"`
	Term  uint64 `msgpack:"term"`
	Claim string `msgpack:"claim,omitempty"`
	Gone  int64  `msgpack:"gone,omitempty"`
	Spans Spans  `msgpack:"spans"`
}

// Pack returns the form in which a snapshot keeps the hosts.
func (h *Hosts) Pack() Form {
	f := Form{Owners: h.owners.List()}
	for _, name := range slices.Sorted(maps.Keys(h.of)) {
		known := h.of[name]
		f.Hosts = append(f.Hosts, hostForm{name, known.term, known.claim, known.gone, known.spans})
	}
	return f
}

// Load is the inverse of Pack.
func (h *Hosts) Load(f Form) (err error) {
	*h = Hosts{of: make(map[string]*host, len(f.Hosts))}
	if h.owners, err = ledger.NewOwners(f.Owners); err != nil {
		return err
	}
	for i := range f.Hosts {
		form := &f.Hosts[i]
		if h.of[form.Name] != nil || len(form.Spans) == 0 {
			return fmt.Errorf("host %q is there twice, or without a tenant's time", form.Name)
		}
		h.of[form.Name] = &host{form.Term, form.Claim, form.Gone, form.Spans}
	}
	return nil
}
