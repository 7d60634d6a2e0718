package memory_test

import (
	"testing"

	"go.uber.org/goleak"

	"lull/actors/conformance"
	"lull/actors/memory"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConformance(t *testing.T) {
	conformance.Run(t, func(*testing.T) conformance.Fixture {
		bus := memory.New("test")
		return conformance.Fixture{
			Bus: bus, Send: bus.Send, Recreate: bus.Recreate, RecreateInbox: bus.RecreateInbox, Accept: bus.Accept, Intrude: bus.Intrude,
			Full: func(full bool) {
				bus.Limit(0)
				if full {
					bus.Limit(1)
				}
			},
			Quarantined: func() int { return len(bus.Quarantined()) },
		}
	})
}
