package prometheus

import (
	"fmt"
	"maps"
	"math"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"lull/subjects"
	"lull/subjects/history"
)

// pass gives take the series of an answer, by host.
func (s *Source) pass(all []found, first, end int64, take func(Series) error) error {
	of, busy := map[string]*Series{}, map[string][]bool{}
	for i := range all {
		host, tenant, err := s.named(all[i].Metric)
		if err != nil {
			return err
		}
		key := host + " " + tenant
		if of[key] == nil {
			n := int(end - first)
			if busy[host] == nil {
				busy[host] = make([]bool, n)
			}
			of[key] = &Series{Host: host, Tenant: tenant, Labels: labels(all[i].Metric), First: first, Values: make([]float64, n), Known: make([]bool, n), busy: busy[host]}
		}
		if err := of[key].fill(all[i].Values, labels(all[i].Metric), end); err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(of)) {
		if err := take(*of[key]); err != nil {
			return err
		}
	}
	return nil
}

// named finds the host and the tenant of a series.
func (s *Source) named(metric map[string]string) (host, tenant string, err error) {
	for _, label := range []string{s.Host, s.Tenant} {
		if label != "" && metric[label] == "" {
			return "", "", usage("the series %s has no label %q: have the query keep one that names the %s, such as avg by (%s) (…), and name it with %s",
				labels(metric), label, map[bool]string{true: "host", false: "tenant"}[label == s.Host], label, map[bool]string{true: "--host-label", false: "--tenant-label"}[label == s.Host])
		}
	}
	if host = hostOf(metric[s.Host]); s.Tenant == "" {
		return host, "", nil
	}
	tenant = metric[s.Tenant]
	if err := subjects.CheckTenant(tenant); err != nil {
		return "", "", usage("host %s: label %s: %w; correct it with label_replace in the query, or map hosts with --tenants", host, s.Tenant, err)
	}
	return host, tenant, nil
}

// hostOf makes a host's name of a label, as an agent makes its own of the machine's name. A port
// is cut off.
func hostOf(label string) string {
	if host, port, err := net.SplitHostPort(label); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err == nil && host != "" {
			label = host
		}
	}
	return subjects.Token(label)
}

// fill takes the values of a series. Another one of the same host may have filled other steps: a
// host whose labels changed has two.
func (s *Series) fill(values []point, from string, end int64) error {
	for _, p := range values {
		slot := int64(math.Round(p.at/history.Step.Seconds())) - 1
		exact := math.Abs(p.at-float64(history.TimeOf(slot+1).Unix())) < 0.01
		switch i := slot - s.First; {
		case slot >= end || slot < s.First || !exact:
			return usage("host %s at %s: the server was asked for the time from %s to %s: check its clock", s.Host, moment(p.at), clock(s.First+1), clock(end))
		case s.busy[i]:
			return usage("host %s at %s: two series have a value, %s and %s: aggregate them in the query, such as avg by (instance) (…)", s.Host, moment(p.at), s.Labels, from)
		default:
			s.Values[i], s.Known[i], s.busy[i] = p.value, true, true
		}
	}
	return nil
}

func moment(seconds float64) string {
	if math.Abs(seconds) > 1e11 {
		return fmt.Sprintf("%g s", seconds)
	}
	return time.Unix(int64(seconds), 0).UTC().Format(time.RFC3339)
}

// labels writes a series as PromQL does.
func labels(metric map[string]string) string {
	var b strings.Builder
	b.WriteString(metric["__name__"] + "{")
	for _, name := range slices.Sorted(maps.Keys(metric)) {
		if name == "__name__" {
			continue
		}
		if !strings.HasSuffix(b.String(), "{") {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s=%q", name, metric[name])
	}
	if text := b.String(); len(text) < 200 {
		return text + "}"
	}
	return b.String()[:200] + "…}"
}
