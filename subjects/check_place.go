package subjects

import (
	"errors"
	"fmt"
	"strings"
)

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
			errs = append(errs, CheckLinkName("switch", e.Racks[i].Above))
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
	return errors.Join(CheckLinkName(kind, l.Name), within(amount("up", l.Up), amount("down", l.Down)))
}

// CheckLinkName says whether a rack or a switch can have a name: that of a label's value.
func CheckLinkName(kind, name string) error {
	switch {
	case name == "":
		return fmt.Errorf("a %s has no name: give it one", kind)
	case len(name) > maxToken:
		return fmt.Errorf("the name of a %s is %d bytes long: at most %d are allowed", kind, len(name), maxToken)
	case strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return fmt.Errorf("%s %q: use letters, digits and signs, and no space", kind, name)
	}
	return nil
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
