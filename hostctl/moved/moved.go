// Package moved counts what the agent moves over the network for tasks: inputs that they fetch, and
// outputs and logs that others fetch. What the host's interfaces count beyond that is the primary's.
package moved

import (
	"context"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Counter counts bytes. A nil Counter counts nothing.
type Counter struct {
	in, out atomic.Int64
	mu      struct { // what the last call of Rates saw
		sync.Mutex
		at      time.Time
		in, out int64
	}
}

// Rates returns what was moved since the last call, in bytes/s; 0 at the first.
func (c *Counter) Rates(now time.Time) (in, out float64) {
	if c == nil {
		return 0, 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	seconds := now.Sub(c.mu.at).Seconds()
	nowIn, nowOut := c.in.Load(), c.out.Load()
	if !c.mu.at.IsZero() && seconds > 0 {
		in, out = float64(nowIn-c.mu.in)/seconds, float64(nowOut-c.mu.out)/seconds
	}
	c.mu.at, c.mu.in, c.mu.out = now, nowIn, nowOut
	return in, out
}

// Listener counts what its connections move.
func (c *Counter) Listener(l net.Listener) net.Listener {
	if c == nil {
		return l
	}
	return listener{l, c}
}

// Dial wraps a dialer: what its connections move is counted.
func (c *Counter) Dial(dial func(ctx context.Context, network, address string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	if c == nil {
		return dial
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &counted{conn, c}, nil
	}
}

type listener struct {
	net.Listener
	counter *Counter
}

func (l listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &counted{conn, l.counter}, nil
}

type counted struct {
	net.Conn
	counter *Counter
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.counter.in.Add(int64(n))
	return n, err
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.counter.out.Add(int64(n))
	return n, err
}

// piece is how much is copied between two counts.
const piece = 1 << 20

// ReadFrom copies from a file without its bytes passing through this process, as a TCP connection does
// (sendfile), piece by piece so that the count keeps up.
func (c *counted) ReadFrom(r io.Reader) (sum int64, err error) {
	to, ok := c.Conn.(io.ReaderFrom)
	if !ok {
		return io.Copy(struct{ io.Writer }{c}, r)
	}
	return Piecewise(r, piece, func(r io.Reader) (int64, error) {
		n, err := to.ReadFrom(r)
		c.counter.out.Add(n)
		return n, err
	})
}

// Piecewise copies r by calls of send for at most size bytes each, until r ends or send fails. It
// passes on what sendfile needs: an io.LimitedReader of the reader that r limits, if r is one.
func Piecewise(r io.Reader, size int64, send func(piece io.Reader) (int64, error)) (sum int64, err error) {
	limit, left := r, int64(1)<<62
	whole, limited := r.(*io.LimitedReader)
	if limited {
		limit, left = whole.R, whole.N
	}
	for left > 0 {
		n, err := send(&io.LimitedReader{R: limit, N: min(size, left)})
		sum, left = sum+n, left-n
		if limited {
			whole.N = left
		}
		if err != nil || n == 0 {
			return sum, err
		}
	}
	return sum, nil
}
