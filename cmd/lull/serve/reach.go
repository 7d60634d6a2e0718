package serve

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// jetStreamOn checks that the server keeps streams for this account.
func jetStreamOn(conn *nats.Conn, text string) Check {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	js, err := jetstream.New(conn)
	if err == nil {
		_, err = js.AccountInfo(ctx)
	}
	if err != nil {
		return Check{"NATS", false, text + "; JetStream: " + err.Error()}
	}
	return Check{"NATS", true, text}
}

// existing is the nearest folder above path that exists.
func existing(path string) string {
	for {
		if _, err := os.Stat(path); err == nil {
			return path
		}
		parent := filepath.Dir(path)
		if parent == path {
			return path
		}
		path = parent
	}
}
