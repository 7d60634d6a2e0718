package jetstream_test

import (
	"errors"
	"testing"

	"github.com/nats-io/nats.go"

	"lull/actors/jetstream"
	"lull/subjects"
)

// A client that attaches while the pool is being made must not use half of it: the
// log is made last.
func TestAPoolIsThereOnceAllOfItIs(t *testing.T) {
	server := embedded(t, jetstream.EmbeddedConfig{Dir: t.TempDir()})
	nc, err := server.Conn("watcher")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
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
	opened(t, server)
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
