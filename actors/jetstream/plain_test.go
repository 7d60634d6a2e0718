package jetstream

import (
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"lull/actors/jetstream/embedded"
	"lull/actors/jetstream/embedded/embeddedtest"
	"lull/subjects"
)

func TestALostConnectionIsCalledThat(t *testing.T) {
	server := embeddedtest.Start(t, embedded.Config{})
	nc := embeddedtest.Conn(t, server)
	bus, err := Open(t.Context(), nc, subjects.DefaultPool)
	if err != nil {
		t.Fatal(err)
	}
	lost := make(chan struct{})
	nc.SetDisconnectErrHandler(func(*nats.Conn, error) { close(lost) })
	if err := server.Shutdown(); err != nil {
		t.Fatal(err)
	}
	<-lost
	_, logged := bus.Log(t.Context())
	_, leased := bus.Lease(t.Context(), "a", "b", time.Second)
	for _, err := range []error{logged, leased} {
		if err == nil || !strings.Contains(err.Error(), "not connected to the server") {
			t.Errorf("without a connection: %v, want an error that says so", err)
		}
	}
}
