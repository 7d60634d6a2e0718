package shim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"lull/subjects"
)

// ErrGone says that the connection to the shim is lost. Launch finds out whether the
// shim is: it adopts a living one.
var ErrGone = errors.New("the shim's connection is lost")

// Client is an agent's connection to one slot's shim. Its methods may be called from several
// goroutines. None waits for an answer, so a frozen shim blocks no caller: orders to it wait in its
// socket.
type Client struct {
	conn   *net.UnixConn
	hello  Hello
	events chan Event
	closed chan struct{}
	done   chan struct{} // the reader has returned
	once   sync.Once
	mu     sync.Mutex // orders the writes
}

// Hello is what the shim held when the connection was made.
func (c *Client) Hello() Hello { return c.hello }

// PID is the shim's process id, to be spared by cgroup.Slot.Kill.
func (c *Client) PID() int { return c.hello.PID }

// Events delivers reports in the order they happened. It is closed when the
// connection ends, by Close, Quit, a newer client or the shim's death.
func (c *Client) Events() <-chan Event { return c.events }

// Start runs a task. The outcome comes as an event; an attempt that runs
// already or has an end that was not acknowledged is not run again.
func (c *Client) Start(t Task) error { return c.send(order{Start: &t}) }

// Kill ends an attempt: SIGTERM to everything it started, after grace SIGKILL to
// what is left of it. A grace of 0 kills at once. The end is reported as
// Exited; if nothing of that attempt runs any more, nothing happens.
func (c *Client) Kill(attempt uint64, grace time.Duration) error {
	return c.KillFor(attempt, grace, "")
}

// KillFor is Kill. With a grace, the task finds the reason in its StopFile, one of subjects.StopCancel and so on.
func (c *Client) KillFor(attempt uint64, grace time.Duration, why string) error {
	return c.send(order{Kill: &kill{Attempt: attempt, Grace: grace, Why: why}})
}

// Pause stops an attempt's processes by SIGSTOP, for hosts whose cgroups cannot freeze. A program
// can notice it, and processes started through other services escape.
func (c *Client) Pause(attempt uint64) error {
	return c.send(order{Pause: &pause{Attempt: attempt, Stop: true}})
}

// Resume ends Pause.
func (c *Client) Resume(attempt uint64) error {
	return c.send(order{Pause: &pause{Attempt: attempt}})
}

// Hold tells the shim that the agent freezes the slot, or has thawed it: frozen time counts for no
// timeout.
func (c *Client) Hold(frozen bool) error {
	return c.send(order{Hold: &hold{Frozen: frozen, At: time.Now().UnixNano()}})
}

// Ack makes the shim forget the end of an attempt.
func (c *Client) Ack(attempt uint64) error { return c.send(order{Ack: attempt}) }

// Quit kills what runs, forgets all ends, and ends the shim. Events is closed
// when it is gone.
func (c *Client) Quit() error { return c.send(order{Quit: true}) }

// Wait waits until the connection has ended, at most for patience.
func (c *Client) Wait(patience time.Duration) {
	select {
	case <-c.done:
	case <-time.After(patience):
	}
}

// Close leaves the shim and its task running.
func (c *Client) Close() error {
	c.once.Do(func() { close(c.closed) })
	err := c.conn.Close()
	<-c.done
	return err
}

// sendPatience bounds the wait for room in the socket of a frozen shim. It
// holds some hundred orders, of which an agent has a few under way.
const sendPatience = 5 * time.Second

func (c *Client) send(o order) error {
	b, err := appendFrame(nil, o)
	if err != nil {
		return fmt.Errorf("send the shim an order: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := write(c.conn, b); err != nil {
		// Half a message may be out: nothing can follow it.
		_ = c.conn.Close()
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	return nil
}

// write sends a frame. If the scheduler suspends this process for long, the deadline may pass
// before the first try. So it tries twice while nothing has been sent.
func write(to interface {
	io.Writer
	SetWriteDeadline(time.Time) error
}, frame []byte) error {
	for again := true; ; again = false {
		_ = to.SetWriteDeadline(time.Now().Add(sendPatience))
		n, err := to.Write(frame)
		if n > 0 || !again || !errors.Is(err, os.ErrDeadlineExceeded) {
			return err
		}
	}
}

// dial connects to the shim of a folder and waits for its Hello until ctx ends.
func dial(ctx context.Context, dir string) (*Client, error) {
	var conn net.Conn
	err := withSocketPath(dir, func(path string) (err error) {
		conn, err = new(net.Dialer).DialContext(ctx, "unix", path)
		return err
	})
	if err != nil {
		return nil, err
	}
	c := &Client{
		conn:   conn.(*net.UnixConn),
		events: make(chan Event, 16),
		closed: make(chan struct{}),
		done:   make(chan struct{}),
	}
	in := &inbox{conn: conn}
	if err := c.greet(ctx, in); err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("shim in %s: no greeting: %w", dir, err)
	}
	go c.read(in)
	return c, nil
}

func (c *Client) greet(ctx context.Context, in *inbox) error {
	stop := context.AfterFunc(ctx, func() { _ = c.conn.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	r, err := in.next()
	if err != nil {
		return errors.Join(err, ctx.Err())
	}
	if r.Hello == nil {
		return errors.New("the first message is not a Hello")
	}
	c.hello = *r.Hello
	return nil
}

// read turns reports into events until the connection ends.
func (c *Client) read(in *inbox) {
	defer close(c.done)
	defer close(c.events)
	for {
		r, err := in.next()
		if err != nil {
			return
		}
		e := r.event()
		if e == nil {
			continue // a newer shim's message
		}
		select {
		case c.events <- e:
		case <-c.closed:
			return
		}
	}
}

// event is the one that the report holds, nil if it holds none we know.
func (r report) event() Event {
	switch {
	case r.Started != nil:
		return r.Started
	case r.Exited != nil:
		return r.Exited
	case r.StartFailed != nil:
		return r.StartFailed
	}
	return nil
}

// inbox cuts a connection's bytes into reports.
type inbox struct {
	conn net.Conn
	buf  []byte
}

func (in *inbox) next() (r report, err error) {
	for {
		body, rest, ok, err := cutFrame(in.buf)
		if err != nil {
			return r, err
		}
		if ok {
			err := subjects.Unmarshal(body, &r)
			in.buf = append(in.buf[:0], rest...)
			return r, err
		}
		chunk := make([]byte, 4096)
		n, err := in.conn.Read(chunk)
		if n == 0 && err != nil {
			return r, err
		}
		in.buf = append(in.buf, chunk[:n]...)
	}
}
