package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	upstream "github.com/nats-io/nats.go/jetstream"

	"lull/actors/jetstream"
	"lull/actors/jetstream/connect"
	"lull/subjects"
)

// reach tries the server that was named, or the lull that owns the folder, and looks
// at the pool there.
func reach(server Server, pool, data string) []Check {
	if server.URL == "" {
		at, ok := Attach(data)
		if !ok {
			return []Check{{"NATS", true, "no --nats, and no lull runs on " + data + ": `lull up` or `lull run` starts one"}}
		}
		server.URL, server.Token = at.URL, at.Token
		pool = cmp.Or(pool, at.Pool)
	}
	name, err := subjects.ParsePool(cmp.Or(pool, string(subjects.DefaultPool)))
	if err != nil {
		return []Check{{"NATS", false, err.Error()}}
	}
	conn, err := server.Dial("doctor")
	if err != nil {
		return []Check{{"NATS", false, err.Error()}}
	}
	defer conn.Close()
	return speak(conn, name)
}

// speak checks that the server answers, keeps streams, and proves the users that
// admission believes.
func speak(conn *nats.Conn, pool subjects.Pool) []Check {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	url := connect.Redacted(conn.ConnectedUrl())
	rtt, err := conn.RTT()
	if err != nil {
		return []Check{{"NATS", false, fmt.Sprintf("%s does not answer: %v", url, err)}}
	}
	answers := Check{"NATS", true, fmt.Sprintf("%s answers in %v, server %s", url, rtt.Round(time.Microsecond), conn.ConnectedServerVersion())}
	bus, err := jetstream.Attach(ctx, conn, pool)
	switch {
	case errors.Is(err, jetstream.ErrNoPool):
		return []Check{answers}
	case err != nil:
		if err := keepsStreams(ctx, conn); err != nil {
			return []Check{{"NATS", false, fmt.Sprintf("%s has no JetStream for us: %v", url, err)}}
		}
		return []Check{answers, {"pool", false, err.Error()}}
	}
	return []Check{answers, users(ctx, bus, pool)}
}

func keepsStreams(ctx context.Context, conn *nats.Conn) error {
	js, err := upstream.New(conn)
	if err == nil {
		_, err = js.AccountInfo(ctx)
	}
	return err
}
