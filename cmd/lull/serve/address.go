package serve

import (
	"fmt"
	"net"
	"net/url"
	"strings"

	"lull/cmd/lull/exit"
)

// address makes the URL that other hosts use from Advertise, and fills Listen.
func (h *HostConfig) address() error {
	if h.Advertise == "" {
		return nil
	}
	if !strings.Contains(h.Advertise, "://") {
		scheme := "http://"
		if h.Web.Cert != "" {
			scheme = "https://"
		}
		h.Advertise = scheme + h.Advertise
	}
	at, err := url.Parse(h.Advertise)
	if err != nil || at.Hostname() == "" || (at.Port() == "" && h.Listen == "") {
		return exit.With(exit.Usage, fmt.Errorf("--advertise %q: use host:port, as others reach this machine", h.Advertise))
	}
	if h.Listen == "" {
		h.Listen = net.JoinHostPort("", at.Port())
	}
	return nil
}
