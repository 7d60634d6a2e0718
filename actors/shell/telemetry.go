package shell

import (
	"fmt"

	"lull/actors"
	"lull/subjects"
)

// Limits of the messages without a stream that wait for the loop; further ones are
// dropped.
const (
	backlog      = 8192
	backlogBytes = 8 << 20
)

// subscribe subscribes to everything that is not kept by a stream.
func (s *Shell) subscribe() error {
	for _, subject := range s.cfg.Telemetry {
		if err := s.listenTo(subject, s.onLoop(s.sample)); err != nil {
			return err
		}
	}
	for _, ask := range s.cfg.Asks {
		take := func(d actors.Delivery) bool { return s.mail.ask(d.Size(), func() { s.question(ask, d) }) }
		if err := s.listenTo(s.cfg.Bus.Pool().Ask(ask), take); err != nil {
			return err
		}
	}
	if _, ok := s.cfg.Actor.(actors.Inboxed); !ok {
		return nil
	}
	for _, subject := range s.cfg.Bus.Pool().InboxSubjects() {
		if err := s.listenTo(subject, s.overhear); err != nil {
			return err
		}
	}
	return nil
}

// onLoop returns a function that passes a message to handle on the loop's goroutine, if the loop has
// room for it.
func (s *Shell) onLoop(handle func(actors.Delivery)) func(actors.Delivery) (room bool) {
	return func(d actors.Delivery) bool { return s.mail.offer(d.Size(), func() { handle(d) }) }
}

// listenTo passes core messages to take, which reports whether it had room for them.
func (s *Shell) listenTo(subject string, take func(actors.Delivery) (room bool)) error {
	messages, err := askUntilAnswered(s, func() (<-chan actors.Delivery, error) { return s.cfg.Bus.Listen(s.ctx, subject) })
	if err != nil {
		return fmt.Errorf("listen on %s: %w", subject, err)
	}
	s.spawn(func() {
		for d := range messages {
			if !take(d) {
				s.metrics.dropped.Inc()
			}
		}
	})
	return nil
}

func (s *Shell) sample(d actors.Delivery) {
	sample, err := subjects.DecodeTelemetry(s.cfg.Bus.Pool(), d.Subject, d.Body)
	if err != nil {
		s.toQuarantine("telemetry", "", fmt.Errorf("%s: %w", d.Subject, err), d.Body)
		return
	}
	s.perform(s.core.Sample(s.moment(), sample))
}

// question is answered by the leader alone, so that a client gets one answer.
func (s *Shell) question(ask string, d actors.Delivery) {
	if d.Reply == "" || !s.core.Leading() {
		return
	}
	answer := s.cfg.Actor.(actors.Answerer).Answer(ask, d.Body)
	if most := s.cfg.Bus.MaxMessage(); len(answer) > most {
		s.cfg.Logger.Warn("an answer is too large to be sent", "ask", ask, "bytes", len(answer), "most", most)
		if answer = subjects.TooLarge(ask, len(answer), most); answer == nil {
			return
		}
	}
	if err := s.cfg.Bus.Publish(d.Reply, answer); err != nil {
		s.cfg.Logger.Warn("an answer was not sent", "ask", ask, "error", err)
	}
}
