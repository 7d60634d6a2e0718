package jetstream_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"

	"lull/actors/jetstream"
	"lull/actors/jetstream/embedded"
	"lull/actors/jetstream/embedded/embeddedtest"
	"lull/subjects"
)

// A client that attaches while the pool is being made must not use half of it: the
// log is made last.
func TestAPoolIsThereOnceAllOfItIs(t *testing.T) {
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
		t.Errorf("before there is any: %v", err)
	}
	maker, err := server.Conn("maker")
	if err != nil {
		t.Fatal(err)
	}
	defer maker.Close()
	if _, err := jetstream.Open(t.Context(), maker, subjects.DefaultPool); err != nil {
		t.Fatal(err)
	}
	last := ""
	for {
		m, err := asked.NextMsg(nats.DefaultDrainTimeout / 60)
		if err != nil {
			break
		}
		last = m.Subject
	}
	if want := "$JS.API.STREAM.CREATE." + subjects.DefaultPool.Log(); last != want {
		t.Errorf("made last: %s, want %s, which says that the rest is there", last, want)
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
		t.Errorf("opened on a foreign stream: %v", err)
	}
}
