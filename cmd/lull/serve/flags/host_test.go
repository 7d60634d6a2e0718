package flags

import (
	"testing"

	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/service"
	"lull/hostctl"
)

func parse(t *testing.T, args ...string) (service.HostConfig, error) {
	t.Helper()
	var h Host
	f := pflag.NewFlagSet("test", pflag.ContinueOnError)
	h.Flags(f)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	return h.Complete()
}

func TestReservesTellNoneFromAutomatic(t *testing.T) {
	for _, c := range []struct {
		args   []string
		cpu    int
		memory int64
	}{
		{nil, 0, 0},
		{[]string{"--reserve-cpu=0", "--reserve-memory=0"}, -1, -1},
		{[]string{"--reserve-cpu=3", "--reserve-memory=2GiB"}, 3, 2 << 30},
	} {
		h, err := parse(t, c.args...)
		if err != nil || h.ReserveCPU != c.cpu || h.ReserveMemory != c.memory {
			t.Errorf("parse(%v) = reserves %d, %d, %v, want %d, %d", c.args, h.ReserveCPU, h.ReserveMemory, err, c.cpu, c.memory)
		}
	}
}

func TestBadHostFlagsAreUsageErrors(t *testing.T) {
	for _, args := range [][]string{{"--labels", "gpu"}, {"--reserve-memory", "much"}, {"--slots", "-1"}} {
		if _, err := parse(t, args...); exit.Code(err) != exit.Usage {
			t.Errorf("parse(%v) = %v, want a usage error", args, err)
		}
	}
}

func TestAdvertiseFillsListen(t *testing.T) {
	for _, c := range []struct{ advertise, listen, url, at string }{
		{"", "", "", ""},
		{"host-7:7000", "", "http://host-7:7000", ":7000"},
		{"host-7:7000", "10.0.0.7:7001", "http://host-7:7000", "10.0.0.7:7001"},
		{"https://proxy/host-7", "127.0.0.1:7001", "https://proxy/host-7", "127.0.0.1:7001"},
	} {
		h := service.HostConfig{Options: hostctl.Options{Advertise: c.advertise, Listen: c.listen}}
		if err := h.CompleteAddress(); err != nil || h.Advertise != c.url || h.Listen != c.at {
			t.Errorf("CompleteAddress() with --advertise %q, --listen %q = %s at %s, %v, want %s at %s", c.advertise, c.listen, h.Advertise, h.Listen, err, c.url, c.at)
		}
	}
	if err := (&service.HostConfig{Options: hostctl.Options{Advertise: "host-7"}}).CompleteAddress(); exit.Code(err) != exit.Usage {
		t.Errorf("CompleteAddress(an address without a port) = %v, want a usage error", err)
	}
}
