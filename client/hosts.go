package client

import (
	"context"
	"errors"
	"fmt"

	"lull/subjects"
	"lull/subjects/ledger"
)

// ErrNoHost says that the pool knows no host of this name.
var ErrNoHost = errors.New("no host")

// ErrHostUp says that a host cannot be forgotten.
var ErrHostUp = errors.New("only a host that left or was lost can be forgotten")

// Pause stops batch work on hosts within a second. Frozen tasks keep their memory. Like all orders to
// hosts it needs no service but NATS. It pauses none if one of the hosts is unknown. The error is ErrNoHost, among others.
func (c *Client) Pause(ctx context.Context, why string, hosts ...string) error {
	return c.order(ctx, hosts, paused(why))
}

// Resume ends what Pause and Drain began.
func (c *Client) Resume(ctx context.Context, hosts ...string) error {
	return c.order(ctx, hosts, resumed)
}

// Drain makes hosts finish what they run and gives them nothing more. Their outputs stay.
func (c *Client) Drain(ctx context.Context, why string, hosts ...string) error {
	return c.order(ctx, hosts, drained(why))
}

// Forget gives up hosts that never come back: their attempts end, outputs that only they
// kept are made again, and lists leave them out. The error is ErrNoHost or ErrHostUp, among others.
func (c *Client) Forget(ctx context.Context, why string, hosts ...string) error {
	return c.order(ctx, hosts, func(h *ledger.Host) (subjects.Event, error) {
		if !h.Gone {
			return nil, fmt.Errorf("host %s is %s: %w; stop its agent, or use lull drain %s", h.Name, h.State(), ErrHostUp, h.Name)
		}
		return &subjects.Drained{Host: h.Name, Forget: true, Who: Who(), Why: why}, nil
	})
}

// PauseAll pauses all hosts, and those that join later: the kill switch.
func (c *Client) PauseAll(ctx context.Context, why string) error {
	return c.orderAll(ctx, paused(why), &subjects.PoolPaused{Who: Who(), Why: why})
}

// ResumeAll undoes PauseAll and DrainAll, and orders to single hosts.
func (c *Client) ResumeAll(ctx context.Context) error {
	return c.orderAll(ctx, resumed, &subjects.PoolResumed{Who: Who()})
}

// DrainAll drains all hosts of the pool, but not those that join later.
func (c *Client) DrainAll(ctx context.Context, why string) error {
	return c.orderAll(ctx, drained(why))
}

// hostOrder makes the event by which a host gets an order.
type hostOrder func(*ledger.Host) (subjects.Event, error)

func paused(why string) hostOrder {
	return func(h *ledger.Host) (subjects.Event, error) {
		return &subjects.Paused{Host: h.Name, Who: Who(), Why: why}, nil
	}
}

func resumed(h *ledger.Host) (subjects.Event, error) {
	return &subjects.Resumed{Host: h.Name, Who: Who()}, nil
}

func drained(why string) hostOrder {
	return func(h *ledger.Host) (subjects.Event, error) {
		return &subjects.Drained{Host: h.Name, Who: Who(), Why: why}, nil
	}
}

func (c *Client) order(ctx context.Context, names []string, give hostOrder) error {
	for _, name := range names {
		if subjects.CheckToken("host", name) != nil {
			continue // no host has such a name
		}
		if err := mayOrder(ctx, c, name, give); err != nil {
			return err
		}
	}
	s, err := c.state(ctx)
	if err != nil {
		return err
	}
	var batch []subjects.Event
	for _, name := range names {
		h := s.Host(name)
		if h == nil || h.Forgotten {
			return fmt.Errorf("%w %q: lull hosts lists those there are", ErrNoHost, name)
		}
		e, err := give(h)
		if err != nil {
			return err
		}
		batch = append(batch, e)
	}
	return c.Append(ctx, s, batch...)
}

// mayOrder returns ErrForbidden if the connection has no right to give a host of this name an order.
func mayOrder(ctx context.Context, c *Client, name string, give hostOrder) error {
	e, err := give(&ledger.Host{Name: name, Gone: true})
	if err != nil {
		return err
	}
	return MayAppend(ctx, c, e)
}

// orderAll orders the pool and each host, in one batch: a host acts on its own subject, and the
// pool's order is for hosts that join later.
func (c *Client) orderAll(ctx context.Context, give hostOrder, batch ...subjects.Event) error {
	if err := mayOrder(ctx, c, "any", give); err != nil {
		return err // there may be no host
	}
	s, err := c.state(ctx)
	if err != nil {
		return err
	}
	for _, h := range s.Hosts() {
		if h.Forgotten {
			continue
		}
		e, err := give(h)
		if err != nil {
			return err
		}
		batch = append(batch, e)
	}
	return c.Append(ctx, s, batch...)
}

// state returns the pool's present state, folded from the log.
func (c *Client) state(ctx context.Context) (*ledger.State, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // of the view
	view, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	return view.State, nil
}

// HostsUp lists the hosts from which telemetry can be expected.
func HostsUp(s *ledger.State) (names []string) {
	for _, h := range s.Hosts() {
		if !h.Gone {
			names = append(names, h.Name)
		}
	}
	return names
}
