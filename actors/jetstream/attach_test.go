package jetstream_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	js "github.com/nats-io/nats.go/jetstream"

	"lull/actors/jetstream"
	"lull/actors/jetstream/embedded"
	"lull/actors/jetstream/embedded/embeddedtest"
	"lull/subjects"
)

// A client that attaches while the pool is being made must not use half of it, so the log comes
// after what hosts need. The inbox comes after the log: a service passes over messages that are
// older than the log, and would pass over what the inbox acknowledged before.
func TestTheLogIsMadeAfterTheRestAndBeforeTheInbox(t *testing.T) {
	server := embeddedtest.Start(t, embedded.Config{})
	nc := embeddedtest.Conn(t, server)
	asked, err := nc.SubscribeSync("$JS.API.STREAM.CREATE.>")
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := jetstream.Attach(t.Context(), nc, subjects.DefaultPool); !errors.Is(err, jetstream.ErrNoPool) {
		t.Errorf("Attach before there is a pool = %v, want ErrNoPool", err)
	}
	maker, err := server.Conn("maker")
	if err != nil {
		t.Fatal(err)
	}
	defer maker.Close()
	if _, err := jetstream.Open(t.Context(), maker, subjects.DefaultPool); err != nil {
		t.Fatal(err)
	}
	want := []string{subjects.DefaultPool.Log(), subjects.DefaultPool.Inbox()}
	var made []string
	for !slices.Contains(made, want[1]) {
		m, err := asked.NextMsgWithContext(t.Context())
		if err != nil {
			t.Fatalf("questions after %v: %v, want one more", made, err)
		}
		made = append(made, strings.TrimPrefix(m.Subject, "$JS.API.STREAM.CREATE."))
	}
	if last := made[max(0, len(made)-2):]; !slices.Equal(last, want) {
		t.Errorf("made last: %v, want %v; all: %v", last, want, made)
	}
	if _, err := jetstream.Attach(t.Context(), nc, subjects.DefaultPool); err != nil {
		t.Error(err)
	}
}

func TestForeignStreamIsRefused(t *testing.T) {
	server := embeddedtest.Start(t, embedded.Config{})
	nc, err := server.Conn("test")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	admin, err := js.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	config := js.StreamConfig{Name: subjects.DefaultPool.Log(), Subjects: []string{"other"}, Storage: js.FileStorage}
	if _, err := admin.CreateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	if _, err := jetstream.Open(t.Context(), nc, subjects.DefaultPool); err == nil || !strings.Contains(err.Error(), "does not allow atomic batches") {
		t.Errorf("Open(a foreign stream) = %v, want an error on atomic batches", err)
	}
}
