package connect

import (
	"net"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sys/unix"
)

const (
	// unacknowledged is how long the server's machine may leave sent data unacknowledged before the kernel
	// ends the connection. By default the kernel sends the data again for a quarter of an hour, at intervals
	// that double up to two minutes (tcp_retries2 in tcp(7)), so a host would notice late that a broken link
	// works again.
	unacknowledged = 10 * time.Second
	// ping is the interval at which an idle connection checks that the server still answers. It is given up
	// after two pings without an answer, or when the ping stays unacknowledged.
	ping = 20 * time.Second
	// dialing is how long one attempt to connect may take.
	dialing = 2 * time.Second
)

// brokenLinks are the options by which a connection notices that its link is broken.
func brokenLinks() []nats.Option {
	return []nats.Option{
		nats.SetCustomDialer(&net.Dialer{Timeout: dialing, Control: limitSilence}),
		nats.PingInterval(ping),
	}
}

// limitSilence sets the option of a socket that ends its connection.
func limitSilence(_, _ string, socket syscall.RawConn) error {
	var err error
	if refused := socket.Control(func(fd uintptr) {
		err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(unacknowledged.Milliseconds()))
	}); refused != nil {
		return refused
	}
	return err
}
