package connect

import (
	"net"
	"testing"

	"github.com/nats-io/nats.go"
	"golang.org/x/sys/unix"
)

// The kernel ends a connection if the server's machine acknowledges nothing, instead of sending again for
// a quarter of an hour.
func TestABrokenLinkIsNoticed(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // a test
	var o nats.Options
	for _, set := range Options("test") {
		if err := set(&o); err != nil {
			t.Fatal(err)
		}
	}
	conn, err := o.CustomDialer.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // a test
	socket, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if err := socket.Control(func(fd uintptr) {
		ms, err := unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT)
		if want := int(unacknowledged.Milliseconds()); err != nil || ms != want {
			t.Errorf("TCP_USER_TIMEOUT of a connection = %d ms, %v, want %d", ms, err, want)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if o.PingInterval != ping {
		t.Errorf("PingInterval = %v, want %v", o.PingInterval, ping)
	}
}
