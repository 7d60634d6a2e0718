package embedded

import (
	"fmt"
	"net"
	"strconv"

	"github.com/nats-io/nats-server/v2/server"
)

// listenOn makes the server listen at host:port. The address is tried first:
// the server only logs that it cannot have it, and is waited for in vain.
func listenOn(options *server.Options, address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("embedded server: listen address: %w", err)
	}
	number, err := strconv.Atoi(port)
	if err != nil || number < 0 || number > 65535 {
		return fmt.Errorf("embedded server: %q is no port", port)
	}
	options.Host, options.Port = host, number
	if number == 0 {
		options.Port = server.RANDOM_PORT
	}
	probe, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("embedded server: listen on %s: %w: choose another address or port", address, err)
	}
	return probe.Close()
}
