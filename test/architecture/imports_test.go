package architecture

import (
	"fmt"
	"slices"
	"testing"
)

var services = []string{"admission", "slotter", "placer", "monitor", "hostctl", "classifier"}

// floors are the storeys of the house, from the ground up. A package imports
// from its own storey or below; services share a storey and not a word.
var floors = map[string]int{"subjects": 0, "actors": 1, "sim": 2, "web": 2, "cmd": 3, "test": 4}

func floor(top string) int {
	if slices.Contains(services, top) {
		return 2
	}
	return floors[top]
}

// wrong says why a package of ours must not import another, "" if it may.
func wrong(from, to string) string {
	switch a, b := house("lull/"+from), house(to); {
	case b == "" || a == b:
		return ""
	case floor(b) > floor(a):
		return fmt.Sprintf("imports run one way, cmd → services → actors → subjects: what %s needs of %s belongs further down", a, b)
	case slices.Contains(services, a) && slices.Contains(services, b):
		return fmt.Sprintf("%s and %s run on different machines and are restarted one by one: what they share passes through subjects", a, b)
	}
	return ""
}

func TestImportsRunOneWay(t *testing.T) {
	for name, p := range packages(t) {
		for _, to := range p.Imports {
			if why := wrong(name, to); why != "" {
				t.Errorf("%s imports %s: %s", name, to, why)
			}
		}
	}
}

// forbidden lists what a part of the house may not reach, even through others.
var forbidden = []struct{ part, reaches, why string }{
	{"subjects", "github.com/nats-io", "the contract is bytes and names: a client in another program must not need a connection to read an event"},
	{"actors", "github.com/nats-io/nats-server", "only actors/jetstream embeds the server: a shell that runs against one elsewhere must not carry it"},
	{"admission", "github.com/nats-io", "a service decides; the shell alone speaks to the bus"},
	{"slotter", "github.com/nats-io", "a service decides; the shell alone speaks to the bus"},
}

// exempt are the parts of a forbidden folder that the ban does not mean.
var exempt = []string{"actors/jetstream"}

func TestForbiddenDependencies(t *testing.T) {
	for name, p := range packages(t) {
		for _, ban := range forbidden {
			if !below(name, ban.part) || slices.Contains(exempt, name) {
				continue
			}
			if i := slices.IndexFunc(p.Deps, func(dep string) bool { return below(dep, ban.reaches) }); i >= 0 {
				t.Errorf("%s depends on %s: %s", name, p.Deps[i], ban.why)
			}
		}
	}
}

// TestTheRuleBites keeps the rule itself honest.
func TestTheRuleBites(t *testing.T) {
	for _, test := range []struct {
		from, to string
		wrong    bool
	}{
		{"subjects", "lull/actors", true},
		{"actors/memory", "lull/slotter", true},
		{"slotter", "lull/admission", true},
		{"hostctl", "lull/monitor", true},
		{"slotter", "lull/cmd/lull", true},
		{"slotter", "lull/slotter/fit", false},
		{"slotter", "lull/actors", false},
		{"actors", "lull/subjects", false},
		{"cmd/lull", "lull/hostctl", false},
		{"actors", "github.com/nats-io/nats.go", false},
	} {
		if got := wrong(test.from, test.to) != ""; got != test.wrong {
			t.Errorf("%s imports %s: refused %v, want %v", test.from, test.to, got, test.wrong)
		}
	}
}
