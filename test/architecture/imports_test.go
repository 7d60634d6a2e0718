package architecture

import (
	"fmt"
	"slices"
	"testing"
)

// services are the parts that run as processes of their own. A planned service is here too, so that the
// rules hold from its first file on.
var services = []string{"admission", "slotter", "placer", "monitor", "hostctl", "classifier", "web"}

// floors are the layers of the code, from the lowest up. A package imports from its own layer or below.
// Services are in one layer, but do not import each other. deploy holds files for operators, and tests of
// them.
var floors = map[string]int{"subjects": 0, "actors": 1, "client": 2, "sim": 4, "cmd": 5, "deploy": 6, "test": 6}

// serviceFloor is the layer of all services.
const serviceFloor = 3

// floor returns the layer of a top folder, false for a folder without one.
func floor(top string) (storey int, known bool) {
	if slices.Contains(services, top) {
		return serviceFloor, true
	}
	storey, known = floors[top]
	return storey, known
}

// wrong says why a package of ours must not import another, "" if it may.
func wrong(from, to string) string {
	a, b := house("lull/"+from), house(to)
	if b == "" || a == b {
		return ""
	}
	above, known := floor(a)
	below, also := floor(b)
	switch {
	case !known || !also:
		return fmt.Sprintf("%s and %s: one has no place in the house: give it a storey in floors, or a name among the services", a, b)
	case below > above:
		return fmt.Sprintf("imports run one way, cmd → services → client → actors → subjects: what %s needs of %s belongs further down", a, b)
	case a == "hostctl" && b == "monitor":
		return "" // a host is one process: its agent and its monitor are started together
	case slices.Contains(services, a) && slices.Contains(services, b):
		return fmt.Sprintf("%s and %s run on different machines and are restarted one by one: what they share passes through subjects", a, b)
	}
	return ""
}

func TestEveryFolderHasAPlace(t *testing.T) {
	for name := range packages(t) {
		if _, known := floor(house("lull/" + name)); !known {
			t.Errorf("%s has no place in the order of imports: give its top folder a storey in floors, or a name among the services", name)
		}
	}
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

// forbidden lists what a part of the house may not reach, even through others, except from
// the packages below except.
var forbidden = []struct{ part, reaches, except, why string }{
	{"subjects", "github.com/nats-io", "", "the contract is bytes and names: a client in another program must not need a connection to read an event"},
	{"actors", "github.com/nats-io/nats-server", "actors/jetstream/embedded", "only actors/jetstream/embedded embeds the server: a shell that runs against one elsewhere must not carry it"},
	{"client", "github.com/nats-io/nats-server", "", "a program that submits a job must not carry the server"},
	{"cmd", "testing", "", "a program that ships must not carry test helpers, such as embeddedtest: they end a test when something fails"},
	{"client", "testing", "", "the same: other programs import the client"},
	{"hostctl", "github.com/nats-io/nats-server", "", "an agent speaks to a server elsewhere, and must not carry one"},
	{"admission", "github.com/nats-io", "", "a service decides; the shell alone speaks to the bus"},
	{"placer", "github.com/nats-io", "", "a service decides; the shell alone speaks to the bus"},
	{"classifier", "github.com/nats-io", "", "a service decides; the shell alone speaks to the bus"},
	{"placer", "github.com/nats-io", "", "a service decides; the shell alone speaks to the bus"},
	{"slotter", "github.com/nats-io", "", "a service decides; the shell alone speaks to the bus"},
}

func TestForbiddenDependencies(t *testing.T) {
	all := packages(t)
	for _, ban := range forbidden {
		parts, exceptions := 0, 0
		for name, p := range all {
			if !below(name, ban.part) {
				continue
			}
			parts++
			i := slices.IndexFunc(p.Deps, func(dep string) bool { return below(dep, ban.reaches) })
			switch {
			case i < 0:
			case ban.except != "" && below(name, ban.except):
				exceptions++
			default:
				t.Errorf("%s depends on %s: %s", name, p.Deps[i], ban.why)
			}
		}
		if parts == 0 || ban.except != "" && exceptions == 0 {
			t.Errorf("the ban of %s from %s finds %d packages and %d of its exception %q, want some: remove the ban or its exception", ban.reaches, ban.part, parts, exceptions, ban.except)
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
		{"hostctl", "lull/monitor", false},
		{"monitor", "lull/hostctl", true},
		{"slotter", "lull/cmd/lull", true},
		{"slotter", "lull/slotter/fit", false},
		{"slotter", "lull/actors", false},
		{"actors", "lull/subjects", false},
		{"cmd/lull", "lull/hostctl", false},
		{"web", "lull/slotter", true},
		{"client", "lull/hostctl/store", true},
		{"client", "lull/actors/jetstream", false},
		{"hostctl", "lull/client/fetch", false},
		{"web", "lull/client", false},
		{"web", "lull/subjects", false},
		{"slotter", "lull/sim", true},
		{"sim", "lull/slotter", false},
		{"attic", "lull/subjects", true},
		{"slotter", "lull/attic", true},
		{"actors", "github.com/nats-io/nats.go", false},
	} {
		if got := wrong(test.from, test.to) != ""; got != test.wrong {
			t.Errorf("wrong(%q, %q) refuses = %v, want %v", test.from, test.to, got, test.wrong)
		}
	}
}
