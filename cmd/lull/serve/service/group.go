package service

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Service is what runs until its context ends. Ending earlier is an error.
type Service struct {
	Name    string
	Run     func(context.Context) error
	Healthy func() error
	Listens <-chan struct{} // closed when it receives requests, nil if nothing waits for that
}

// Group runs services that start and stop together.
type Group struct {
	cancel  context.CancelFunc
	running sync.WaitGroup
	members []Service
	mu      struct {
		sync.Mutex
		late []error // of services that did not stop well
	}
}

// Start runs the services. It calls report for each that ends by itself; the
// others go on until Stop.
func (g *Group) Start(report func(error), members ...Service) {
	ctx, cancel := context.WithCancel(context.Background())
	g.cancel, g.members = cancel, members
	for _, s := range members {
		g.running.Go(func() {
			err := s.Run(ctx)
			switch {
			case ctx.Err() == nil:
				report(fmt.Errorf("%s: %w", s.Name, orStopped(err)))
			case err != nil:
				g.mu.Lock()
				defer g.mu.Unlock()
				g.mu.late = append(g.mu.late, fmt.Errorf("stop %s: %w", s.Name, err))
			}
		})
	}
}

// WaitListening waits until all services receive requests, one has failed, or ctx ends.
func (g *Group) WaitListening(ctx context.Context, failed <-chan error) error {
	for _, s := range g.members {
		if s.Listens == nil {
			continue
		}
		select {
		case <-s.Listens:
		case err := <-failed:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Stop ends all services, waits for them, and returns what went wrong then.
func (g *Group) Stop() error {
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

// Unhealthy returns what is wrong with the services.
func (g *Group) Unhealthy() (wrong []error) {
	for _, s := range g.members {
		if err := s.Healthy(); err != nil {
			wrong = append(wrong, err)
		}
	}
	return wrong
}
