package pipeline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"lull/cmd/lull/serve/local"
	"lull/subjects"
)

// A client sends documents of a megabyte, each after the acknowledgement of the one before.
// All get their verdicts, and so does the small job after them.
func TestABurstOfLargeDocumentsIsAnswered(t *testing.T) {
	const many = 30 // three times what the service remembers of messages
	l, _ := start(t, local.Config{})
	conn, err := l.Conn("burst")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	to := conn.NewInbox()
	acks, verdicts := make(chan *nats.Msg, many+1), make(chan *nats.Msg, many+1)
	if _, err := conn.Subscribe(to, func(m *nats.Msg) {
		if strings.Contains(string(m.Data), `"verdict"`) {
			verdicts <- m
		} else {
			acks <- m
		}
	}); err != nil {
		t.Fatal(err)
	}
	item := `,"` + strings.Repeat("x", 40) + `"`
	large := strings.Repeat(item, 840_000/len(item))[1:]
	for i := range many + 1 {
		doc := fmt.Sprintf(`{"name":"large","stages":[{"name":"a","command":"true","each":[%s]}]}`, large)
		if i == many {
			doc = `{"name":"small","stages":[{"name":"a","command":"true","tasks":1}]}`
		}
		if err := conn.PublishRequest(subjects.DefaultPool.Submit(), to, []byte(doc)); err != nil {
			t.Fatal(err)
		}
		if ack := reply(t, acks); strings.Contains(string(ack.Data), `"error"`) {
			t.Fatalf("acknowledgement of document %d = %s, want no error", i, ack.Data)
		}
	}
	for range many + 1 {
		reply(t, verdicts)
	}
}

func reply(t *testing.T, from <-chan *nats.Msg) *nats.Msg {
	t.Helper()
	select {
	case m := <-from:
		return m
	case <-time.After(patience):
		t.Fatalf("no message within %v, want an acknowledgement or a verdict", patience)
		return nil
	}
}
