package serve

import (
	"context"
	"fmt"
	"sync"
)

// service is what runs until its context ends. Ending earlier is an error.
type service struct {
	name    string
	run     func(context.Context) error
	healthy func() error
}

// group runs services that start and stop together. The first that ends with
// an error says so on failed; the others go on until stop.
type group struct {
	cancel  context.CancelFunc
	running sync.WaitGroup
	members []service
}

// start runs the services. report hears of each that ends by itself.
func (g *group) start(report func(error), members ...service) {
	ctx, cancel := context.WithCancel(context.Background())
	g.cancel, g.members = cancel, members
	for _, s := range members {
		g.running.Go(func() {
			err := s.run(ctx)
			if err == nil && ctx.Err() != nil {
				return
			}
			report(fmt.Errorf("%s: %w", s.name, orStopped(err)))
		})
	}
}

// stop ends all services and waits for them.
func (g *group) stop() {
	if g.cancel != nil {
		g.cancel()
	}
	g.running.Wait()
}

func orStopped(err error) error {
	if err == nil {
		return fmt.Errorf("stopped by itself")
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
