package fileserver

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"lull/hostctl/moved"
)

const (
	// maxConns bounds the connections of all peers, each of which takes some 20 kB. Agents with fewer
	// descriptors use half of them.
	maxConns = 4096
	// maxPeer bounds the connections of one address. `lull run` follows two logs of each slot of a host.
	maxPeer = 1024
	// stall is how long a connection must have waited for its reader to give way to another one. Below
	// the bounds it may wait: the reader may be a pager, in front of a user.
	stall = time.Minute
	// patience is how long a connection waits for its reader in any case. It holds an open file, whose
	// room on the disk is not free before.
	patience = time.Hour
	// portion is what a reader must take within these times, in bytes.
	portion = 256 << 10
)

// limitedListener is a listener that bounds its connections.
type limitedListener struct {
	net.Listener
	all, peer       int           // bounds
	stall, patience time.Duration // see the constants
	began           time.Time

	mu    sync.Mutex
	conns map[*conn]struct{}
	peers map[string]int
}

func newLimitedListener(l net.Listener) *limitedListener {
	c := &limitedListener{
		Listener: l, all: maxConns, peer: maxPeer, stall: stall, patience: patience, began: time.Now(),
		conns: make(map[*conn]struct{}), peers: make(map[string]int),
	}
	var files unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &files) == nil {
		c.all = int(min(uint64(c.all), files.Cur/2))
	}
	return c
}

// Accept returns the next connection that has a place. It closes others at once: their peers try again.
func (c *limitedListener) Accept() (net.Conn, error) {
	for {
		socket, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if one := c.admit(socket); one != nil {
			return one, nil
		}
		_ = socket.Close() // nothing was sent
	}
}

// admit gives a connection a place, if need be that of one that has stalled. It returns nil if there
// is none.
func (c *limitedListener) admit(socket net.Conn) *conn {
	one := &conn{Conn: socket, listener: c, peer: address(socket)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.peers[one.peer] >= c.peer && !c.closeStalled(one.peer) || len(c.conns) >= c.all && !c.closeStalled("") {
		return nil
	}
	c.conns[one] = struct{}{}
	c.peers[one.peer]++
	return one
}

// closeStalled closes the connection that has waited longest for its reader, of one peer or of all. c.mu
// is held.
func (c *limitedListener) closeStalled(peer string) bool {
	var worst *conn
	since := int64(time.Since(c.began) - c.stall)
	for one := range c.conns {
		if at := one.waitingSince.Load(); at != 0 && at <= since && (peer == "" || peer == one.peer) {
			worst, since = one, at
		}
	}
	if worst == nil {
		return false
	}
	c.release(worst)
	_ = worst.Conn.Close() // its reader has not read for a minute
	return true
}

// release frees a connection's place. c.mu is held.
func (c *limitedListener) release(one *conn) {
	if _, in := c.conns[one]; !in {
		return
	}
	delete(c.conns, one)
	if c.peers[one.peer]--; c.peers[one.peer] == 0 {
		delete(c.peers, one.peer)
	}
}

func address(socket net.Conn) string {
	host, _, err := net.SplitHostPort(socket.RemoteAddr().String())
	if err != nil {
		return socket.RemoteAddr().String()
	}
	return host
}

// conn is a connection with a place.
type conn struct {
	net.Conn
	listener     *limitedListener
	peer         string
	waitingSince atomic.Int64 // since when it has waited for its reader, after listener.began; 0 if it does not

	limit struct { // what the user of the connection set as the deadline of writes
		sync.Mutex
		at time.Time
	}
}

func (c *conn) Close() error {
	c.listener.mu.Lock()
	c.listener.release(c)
	c.listener.mu.Unlock()
	return c.Conn.Close()
}

// Write writes in portions, for each of which the reader has a time.
func (c *conn) Write(b []byte) (sum int, err error) {
	for first := true; first || len(b) > 0 && err == nil; first = false {
		part := b[:min(len(b), portion)]
		var n int64
		n, err = c.sendPortion(func() (int64, error) { n, err := c.Conn.Write(part); return int64(n), err })
		sum, b = sum+int(n), b[n:]
	}
	return sum, err
}

// ReadFrom is Write for what the kernel copies by itself.
func (c *conn) ReadFrom(r io.Reader) (int64, error) {
	to, ok := c.Conn.(io.ReaderFrom)
	if !ok {
		return io.Copy(struct{ io.Writer }{c}, r)
	}
	return moved.Piecewise(r, portion, func(piece io.Reader) (int64, error) {
		return c.sendPortion(func() (int64, error) { return to.ReadFrom(piece) })
	})
}

func (c *conn) sendPortion(send func() (int64, error)) (int64, error) {
	c.limit.Lock()
	err := c.setLimit()
	c.limit.Unlock()
	if err != nil {
		return 0, err
	}
	c.waitingSince.Store(int64(time.Since(c.listener.began)))
	defer c.waitingSince.Store(0)
	return send()
}

// SetWriteDeadline ends writes sooner than patience does. A probe and the end of a TLS connection need that,
// or a reader that does not read would hold them up for an hour.
func (c *conn) SetWriteDeadline(at time.Time) error {
	c.limit.Lock()
	defer c.limit.Unlock()
	c.limit.at = at
	return c.setLimit()
}

// setLimit bounds the write under way, or the next one, by patience and by the deadline that was set. c.limit is held.
func (c *conn) setLimit() error {
	at := time.Now().Add(c.listener.patience)
	if own := c.limit.at; !own.IsZero() && own.Before(at) {
		at = own
	}
	return c.Conn.SetWriteDeadline(at)
}
