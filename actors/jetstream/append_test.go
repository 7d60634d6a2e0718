package jetstream

import (
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"lull/actors"
	"lull/actors/jetstream/embedded/embeddedtest"
	"lull/subjects"
)

// TestALostConnectionEndsAnAppend has a server that takes the message and dies
// before it answers.
func TestALostConnectionEndsAnAppend(t *testing.T) {
	srv := embeddedtest.Plain(t, &server.Options{})
	nc, err := nats.Connect(srv.ClientURL(), nats.MaxReconnects(-1))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	taken := make(chan *nats.Msg, 1)
	if _, err := nc.ChanSubscribe("swallowed", taken); err != nil {
		t.Fatal(err)
	}
	go func() {
		<-taken
		srv.Shutdown()
	}()
	start := time.Now()
	_, err = (&Bus{nc: nc}).Append(t.Context(), []subjects.Message{{Subject: "swallowed"}}, actors.Fence{})
	if !errors.Is(err, actors.ErrUnknown) {
		t.Errorf("error %v, want ErrUnknown", err)
	}
	if took := time.Since(start); took > appendWait/2 {
		t.Errorf("gave up after %v, want at most %v", took, appendWait/2)
	}
	srv.WaitForShutdown()
}
