package jetstream

import (
	"errors"

	"github.com/nats-io/nats.go"
)

var errCutOff = errors.New("not connected to the server")

// plain says what the client means when it has no room to keep a message for
// after a reconnect: we give it none.
func plain(err error) error {
	if errors.Is(err, nats.ErrReconnectBufExceeded) {
		return errCutOff
	}
	return err
}
