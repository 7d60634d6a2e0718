package doctor

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
	"lull/cmd/lull/serve/dial"
	"lull/cmd/lull/serve/local"
	"lull/cmd/lull/serve/vouch"
	"lull/subjects"
)

// checkServer connects to the server of --nats, or to the lull that owns the data folder, and checks
// the pool there.
func checkServer(server dial.Server, pool, data string) []Check {
	if server.URL == "" {
		at, ok := local.Attach(data)
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
	return checkPool(conn, name)
}

// checkPool checks that the server answers, that it has JetStream, and that it proves users if
// admission believes their names.
func checkPool(conn *nats.Conn, pool subjects.Pool) []Check {
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
		if err := checkJetStream(ctx, conn); err != nil {
			return []Check{{"NATS", false, fmt.Sprintf("%s: no access to JetStream: %v", url, err)}}
		}
		return []Check{answers, {"pool", false, err.Error()}}
	}
	return []Check{answers, checkUsers(ctx, bus, pool)}
}

func checkJetStream(ctx context.Context, conn *nats.Conn) error {
	js, err := upstream.New(conn)
	if err == nil {
		_, err = js.AccountInfo(ctx)
	}
	return err
}

func checkUsers(ctx context.Context, bus *jetstream.Bus, pool subjects.Pool) Check {
	text, ok := vouch.Report(ctx, bus, pool)
	return Check{"users", ok, text}
}
