package serve

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	upstream "github.com/nats-io/nats.go/jetstream"

	"lull/actors/jetstream"
)

// reach tries the server that was named, or the lull that owns the folder.
func reach(server Server, data string) Check {
	if server.URL == "" {
		at, ok := Attach(data)
		if !ok {
			return Check{"NATS", true, "no --nats, and no lull runs on " + data + ": `lull up` or `lull run` starts one"}
		}
		server.URL, server.Token = at.URL, at.Token
	}
	conn, err := server.Dial("doctor")
	if err != nil {
		return Check{"NATS", false, err.Error()}
	}
	defer conn.Close()
	text, err := speak(conn)
	if err != nil {
		return Check{"NATS", false, err.Error()}
	}
	return Check{"NATS", true, text}
}

// speak checks that the server answers, and keeps streams for this account.
func speak(conn *nats.Conn) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	url := jetstream.Redacted(conn.ConnectedUrl())
	rtt, err := conn.RTT()
	if err != nil {
		return "", fmt.Errorf("%s does not answer: %w", url, err)
	}
	js, err := upstream.New(conn)
	if err == nil {
		_, err = js.AccountInfo(ctx)
	}
	if err != nil {
		return "", fmt.Errorf("%s has no JetStream for us: %w", url, err)
	}
	return fmt.Sprintf("%s answers in %v, server %s", url, rtt.Round(time.Microsecond), conn.ConnectedServerVersion()), nil
}
