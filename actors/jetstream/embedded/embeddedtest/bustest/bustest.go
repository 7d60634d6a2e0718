// Package bustest opens a pool on an embedded server for the length of a test.
//
//	bus := bustest.Start(t, embedded.Config{}, subjects.DefaultPool)
package bustest

import (
	"testing"

	"lull/actors/jetstream"
	"lull/actors/jetstream/embedded"
	"lull/actors/jetstream/embedded/embeddedtest"
	"lull/subjects"
)

// Start runs a server, and opens a pool on it.
func Start(t testing.TB, cfg embedded.Config, pool subjects.Pool) *jetstream.Bus {
	t.Helper()
	return Open(t, embeddedtest.Start(t, cfg), pool)
}

// Open opens a pool on a server, with a connection of its own.
func Open(t testing.TB, server *embedded.Server, pool subjects.Pool) *jetstream.Bus {
	t.Helper()
	bus, err := jetstream.Open(t.Context(), embeddedtest.Conn(t, server), pool)
	if err != nil {
		t.Fatal(err)
	}
	return bus
}
