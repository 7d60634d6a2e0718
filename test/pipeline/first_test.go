package pipeline

import (
	"testing"

	"github.com/nats-io/nats.go"

	"lull/cmd/lull/serve/local"
	"lull/subjects"
)

// A pool that has started gives the very first message its verdict. Only subscribers see the
// message's reply subject, so admission must have subscribed by then.
func TestTheFirstMessageIsAnswered(t *testing.T) {
	for range 5 {
		t.Run("", func(t *testing.T) {
			l, err := local.Start(t.Context(), local.Config{Data: t.TempDir() + "/data"})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close() //nolint:errcheck // other tests look at it
			conn, err := l.Conn("test")
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			replies, err := conn.SubscribeSync(nats.NewInbox())
			if err != nil {
				t.Fatal(err)
			}
			if err := conn.PublishRequest(subjects.DefaultPool.Submit(), replies.Subject, []byte("no job")); err != nil {
				t.Fatal(err)
			}
			for _, what := range []string{"acknowledgement", "verdict"} {
				if _, err := replies.NextMsg(patience); err != nil {
					t.Fatalf("NextMsg() = %v, want the %s", err, what)
				}
			}
		})
	}
}
