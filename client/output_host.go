package client

import (
	"fmt"

	"lull/subjects"
	"lull/subjects/ledger"
)

// outputHost returns where a host's outputs and logs can be read.
func outputHost(h *ledger.Host) (subjects.OutputHost, error) {
	switch {
	case h == nil:
		return subjects.OutputHost{}, fmt.Errorf("the pool no longer knows the host")
	case h.Gone:
		return subjects.OutputHost{}, fmt.Errorf("host %s is %s: what it keeps can be read when it is up again", h.Name, h.State())
	case h.Joined.URL == "":
		return subjects.OutputHost{}, fmt.Errorf("host %s does not say where it can be asked: start its agent with --advertise", h.Name)
	}
	return subjects.OutputHost{Host: h.Name, URL: h.Joined.URL, Token: h.Joined.Token}, nil
}
