package jetstream

import (
	"errors"

	"github.com/nats-io/nats.go"
)

var errCutOff = errors.New("not connected to the server")

// connectionError replaces the NATS client's error for a message that it cannot keep until it has
// reconnected. The connection is opened without room for such messages.
func connectionError(err error) error {
	if errors.Is(err, nats.ErrReconnectBufExceeded) {
		return errCutOff
	}
	return err
}
