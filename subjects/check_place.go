package subjects

import "errors"

// Bounds of what is said of the network and of places in it.
const (
	MaxRacks       = 4096
	MaxWiredHosts  = 16384
	MaxPlacedHosts = 4096
	maxBaselines   = 16
)

func (e *Wired) check() error {
	if err := errors.Join(atMost("the number of racks", len(e.Racks), MaxRacks), atMost("the number of switches", len(e.Above), MaxRacks),
		atMost("the number of NICs", len(e.NICs), MaxWiredHosts)); err != nil {
		return err
	}
	var errs []error
	for i := range e.Racks {
		if e.Racks[i].Above != "" {
			errs = append(errs, CheckToken("switch", e.Racks[i].Above))
		}
		errs = append(errs, e.Racks[i].check("rack"))
	}
	for i := range e.Above {
		errs = append(errs, e.Above[i].check("switch"))
	}
	for i := range e.NICs {
		errs = append(errs, e.NICs[i].check("host"))
	}
	return errors.Join(errs...)
}

func (l *WiredLink) check(kind string) error {
	return errors.Join(CheckToken(kind, l.Name), within(amount("up", l.Up), amount("down", l.Down)))
}

func (e *Placed) check() error {
	if err := errors.Join(
		atMost("the number of hosts", len(e.Hosts), MaxPlacedHosts), atMost("the number of links", len(e.Links), 2*MaxRacks),
		atMost("the number of baselines", len(e.Baselines), maxBaselines),
		atMost("the length of the words", len(e.Why)+len(e.Objective)+len(e.Anew), 3*maxToken),
		within(amount("seconds", e.Seconds), amount("harvested", e.Harvested), share("moving", e.Moving), amount("bound", e.Bound))); err != nil {
		return err
	}
	var errs []error
	for i := range e.Hosts {
		errs = append(errs, CheckToken("host", e.Hosts[i].Host), atMost("slots", e.Hosts[i].Slots, MaxSlots))
	}
	for i := range e.Links {
		errs = append(errs, e.Links[i].check("link"))
	}
	for _, b := range e.Baselines {
		errs = append(errs, atMost("the length of the policy's name", len(b.Policy), maxToken), within(amount("seconds", b.Seconds)))
	}
	return errors.Join(errs...)
}
