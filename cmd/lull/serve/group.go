package serve

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// service is what runs until its context ends. Ending earlier is an error.
type service struct {
	name    string
	run     func(context.Context) error
	healthy func() error
	listens <-chan struct{} // closed when it can be talked to, nil if nothing waits for that
}

// group runs services that start and stop together.
type group struct {
	cancel  context.CancelFunc
	running sync.WaitGroup
	members []service
	mu      struct {
		sync.Mutex
		late []error // of services that did not stop well
	}
}

// start runs the services. report hears of each that ends by itself; the
// others go on until stop.
func (g *group) start(report func(error), members ...service) {
	ctx, cancel := context.WithCancel(context.Background())
	g.cancel, g.members = cancel, members
	for _, s := range members {
		g.running.Go(func() {
			err := s.run(ctx)
			switch {
			case ctx.Err() == nil:
				report(fmt.Errorf("%s: %w", s.name, orStopped(err)))
			case err != nil:
				g.mu.Lock()
				defer g.mu.Unlock()
				g.mu.late = append(g.mu.late, fmt.Errorf("stop %s: %w", s.name, err))
			}
		})
	}
}

// listening waits until all services can be talked to, one has failed, or ctx ends.
func (g *group) listening(ctx context.Context, failed <-chan error) error {
	for _, s := range g.members {
		if s.listens == nil {
			continue
		}
		select {
		case <-s.listens:
		case err := <-failed:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// stop ends all services, waits for them, and returns what went wrong then.
func (g *group) stop() error {
	if g.cancel != nil {
		g.cancel()
	}
	g.running.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	return errors.Join(g.mu.late...)
}

func orStopped(err error) error {
	if err == nil {
		return errors.New("stopped by itself")
	}
	return err
}

// healthy asks each service.
func (g *group) healthy() (wrong []error) {
	for _, s := range g.members {
		if err := s.healthy(); err != nil {
			wrong = append(wrong, err)
		}
	}
	return wrong
}
