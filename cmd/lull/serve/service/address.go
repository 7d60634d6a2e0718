package service

import (
	"fmt"
	"net"
	"net/url"
	"strings"

	"lull/cmd/lull/exit"
)

// CompleteAddress turns Advertise into the URL that other hosts use, and sets Listen from it
// if Listen is empty.
func (h *HostConfig) CompleteAddress() error {
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
