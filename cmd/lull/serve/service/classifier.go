package service

import (
	"lull/actors"
	"lull/actors/shell"
	"lull/classifier"
)

// NewClassifier makes the service that learns what classes of tenants the pool has.
func NewClassifier(bus actors.Bus, s Shared, cfg classifier.Config) (Service, error) {
	reads, err := newHistorian(bus, s)
	if err != nil {
		return Service{}, err
	}
	return newDecider(shell.Config{
		Role: classifier.Role(s.Pool), Actor: classifier.New(cfg), Perform: reads.perform,
	}, bus, s, reads.run)
}
