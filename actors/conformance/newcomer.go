package conformance

import (
	"context"
	"testing"
	"time"

	"lull/actors/conformance/patience"
	"lull/actors/shell"
	"lull/subjects"
)

var newcomerSuite = []Test{{"newcomer/an actor becomes a service", newcomer}}

// newcomer: an actor alone becomes a service on each bus. It keeps its state over a restart.
func newcomer(t *testing.T, open Opener) {
	bus := open(t).Bus
	observer := start(t, config(bus))
	observer.awaitLead()
	for round := range uint64(2) {
		service, err := shell.New(shell.Config{Role: patience.Role(), Actor: &patience.Actor{Patience: 100 * time.Millisecond}, Bus: bus})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		go service.Run(ctx) //nolint:errcheck // it ends with the test
		appendEvents(t, bus, &subjects.Paused{Host: "h"})
		observer.until("the host is resumed", func(a *tally) bool { return a.state.Doubled == round+1 }) // no Drained asked for it
		stop()
		<-service.Done()
	}
	observer.end()
}
