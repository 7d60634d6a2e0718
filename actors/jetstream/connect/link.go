package connect

import (
	"net"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sys/unix"
)

const (
	// unacknowledged is how long the server's machine may leave what was sent unacknowledged before the
	// connection is given up. The kernel would send it again for a quarter of an hour, each time after
	// twice as long, so a host whose cable was out for a minute would come back a minute after the cable.
	unacknowledged = 10 * time.Second
	// ping is the interval at which a connection that sends nothing sees if the server is still there.
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
