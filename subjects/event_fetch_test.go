package subjects

import (
	"strings"
	"testing"
)

func TestTheRackOfAHostIsALabel(t *testing.T) {
	for want, labels := range map[string][]string{
		"r1": {"gpu=yes", "rack=r1", "zone=a"}, "": {"gpu=yes", "track=9"}, "a=b": {"rack=a=b"},
	} {
		if got := Rack(labels); got != want {
			t.Errorf("%v: rack %q, want %q", labels, got, want)
		}
	}
	if got := Rack([]string{"rack=" + strings.Repeat("x", maxToken+1)}); got != "" {
		t.Errorf("Rack(a name of %d bytes) = %q, want none", maxToken+1, got)
	}
}

func TestAFetchIsChecked(t *testing.T) {
	good := Fetch{Fetching: 1, Fetched: make([]Fetched, MaxFetchedRacks+1)}
	if err := good.check(); err != nil {
		t.Error(err)
	}
	for _, wrong := range []Fetch{
		{Fetching: -1}, {Fetched: make([]Fetched, MaxFetchedRacks+2)}, {Fetched: []Fetched{{Bytes: -1}}},
		{Fetched: []Fetched{{Rack: strings.Repeat("x", maxToken+1)}}}, {Fetched: []Fetched{{Seconds: 2 * maxSeconds}}},
	} {
		if err := wrong.check(); err == nil {
			t.Errorf("(%+v).check() = nil, want an error", wrong)
		}
	}
}
