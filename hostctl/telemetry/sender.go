package telemetry

import "lull/subjects"

// Bus publishes messages that no log keeps. actors.Bus implements it.
type Bus interface {
	Publish(subject string, body []byte) error
}

// Sender publishes telemetry of a pool's host.
type Sender struct {
	Pool subjects.Pool
	Bus  Bus
}

// Send publishes one sample.
func (s Sender) Send(t subjects.Telemetry) error {
	m, err := subjects.EncodeTelemetry(s.Pool, t)
	if err != nil {
		return err
	}
	return s.Bus.Publish(m.Subject, m.Body)
}
