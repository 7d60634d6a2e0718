package client

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

// wiredPool has racks a (10 MB/s), b and c (5 MB/s), and hosts with or without --probe.
func wiredPool(hosts ...subjects.Joined) *ledger.State {
	s := ledger.New()
	rack := func(name string, rate float64) subjects.WiredRack {
		return subjects.WiredRack{WiredLink: subjects.WiredLink{Name: name, Up: rate, Down: rate}}
	}
	s.Apply(1, time.Unix(1, 0), &subjects.Wired{Racks: []subjects.WiredRack{rack("a", 10e6), rack("b", 5e6), rack("c", 5e6)}})
	for i := range hosts {
		s.Apply(uint64(i+2), time.Unix(2, 0), &hosts[i])
	}
	return s
}

func host(name string, probe bool) subjects.Joined {
	return subjects.Joined{Host: name, Cores: 1, Slots: 1, Memory: 1, Labels: []string{"rack=" + name[:1]}, Probe: probe}
}

func TestWhichHostsProbe(t *testing.T) {
	for want, s := range map[string]*ledger.State{
		"the pool's network is unknown":                 ledger.New(),
		"no agent that is up in a rack of the topology": wiredPool(host("a1", false), host("z1", true)),
		"only rack a has an agent":                      wiredPool(host("a1", true), host("a2", true), host("b1", false)),
	} {
		if _, _, err := Probes(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Probes() = %v, want an error that says %q", err, want)
		}
	}
	all, without, err := Probes(wiredPool(host("a1", false), host("a2", true), host("b1", true), host("b2", true)))
	if err != nil || len(all) != 2 || !slices.Equal(without, []string{"c"}) || all[0].FromHost != "a2" || all[0].ToHost != "b1" || all[1].From != "b" {
		t.Errorf("Probes() = %+v, without %v, %v, want a2 to b1 and back, without [c]", all, without, err)
	}
}

func TestLinksAreJudgedByTheirBestProbe(t *testing.T) {
	s := wiredPool(host("a1", true), host("b1", true), host("c1", true))
	for _, c := range []struct {
		name  string
		rates map[string]float64 // of a pair, in MB/s
		want  string             // verdicts on a up, a down, b up …
		fix   string
	}{
		{"all as declared", map[string]float64{"ab": 4.8, "ac": 4.8, "ba": 4.7, "bc": 4.8, "ca": 4.8, "cb": 4.8},
			"at least, at least, as declared, as declared, as declared, as declared", ""},
		{"c gives little up", map[string]float64{"ab": 4.8, "ac": 4.8, "ba": 4.8, "bc": 4.8, "ca": 2, "cb": 2.1},
			"at least, at least, as declared, as declared, less, as declared", "c 2.1 5.0"},
		{"b and c have more", map[string]float64{"ab": 9, "ac": 9, "ba": 9, "bc": 9, "ca": 9, "cb": 9},
			"as declared, as declared, more, more, more, more", "b 9.0 9.0; c 9.0 9.0"},
		{"nothing came", nil, "not measured, not measured, not measured, not measured, not measured, not measured", ""},
	} {
		probes, _, err := Probes(s)
		if err != nil {
			t.Fatal(err)
		}
		for i := range probes {
			probes[i].Rate = 1e6 * c.rates[probes[i].From+probes[i].To]
		}
		var verdicts, fixes []string
		all := Judge(s, probes)
		for _, m := range all {
			verdicts = append(verdicts, m.Verdict)
		}
		got := strings.NewReplacer(AtLeastThat, "at least", LessDeclared, "less", MoreDeclared, "more").Replace(strings.Join(verdicts, ", "))
		for _, l := range Corrected(all) {
			fixes = append(fixes, fmt.Sprintf("%s %.1f %.1f", l.Name, l.Up/1e6, l.Down/1e6))
		}
		if fix := strings.Join(fixes, "; "); got != c.want || fix != c.fix {
			t.Errorf("%s: %s, write %q, want %s, %q", c.name, got, fix, c.want, c.fix)
		}
	}
}
