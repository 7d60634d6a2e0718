package memory

import (
	"context"
	"time"

	"lull/actors"
	"lull/subjects"
)

// listener is a subscription to core messages.
type listener struct {
	subject string
	out     chan actors.Delivery
}

// listenBuffer is how many messages wait for a slow reader before some are lost.
const listenBuffer = 4096

// Listen subscribes to core messages.
func (b *Bus) Listen(ctx context.Context, subject string) (<-chan actors.Delivery, error) {
	l := &listener{subject: subject, out: make(chan actors.Delivery, listenBuffer)}
	b.mu.Lock()
	b.mu.listeners[l] = struct{}{}
	b.mu.Unlock()
	context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.mu.listeners, l)
		close(l.out) // nothing is sent any more: deliver holds mu
	})
	return l.out, nil
}

// Publish sends a core message.
func (b *Bus) Publish(subject string, body []byte) error {
	return b.Send(actors.Delivery{Subject: subject, Body: body})
}

// Send publishes a message as any client can: with headers and a reply subject. As on NATS, the log
// and the inbox keep messages on their subjects, and core subscribers receive them as well.
func (b *Bus) Send(d actors.Delivery) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if matchAny(b.mu.accepts, d.Subject) {
		b.mu.log.add(d)
		b.mu.log.announce()
	}
	if matchAny(b.pool.InboxSubjects(), d.Subject) {
		b.keepMessage(d)
	}
	b.deliver(d)
	return nil
}

// keepMessage needs mu. It drops a message whose id was used within subjects.RepeatWindow, even by
// another sender, as the server does.
func (b *Bus) keepMessage(d actors.Delivery) {
	inbox := b.mu.inbox
	id := d.Header["Nats-Msg-Id"]
	if came, known := inbox.ids[id]; known && id != "" && time.Since(came) < subjects.RepeatWindow {
		return
	}
	inbox.ids[id] = time.Now()
	inbox.add(d)
	inbox.announce()
}

// deliver needs mu.
func (b *Bus) deliver(d actors.Delivery) {
	d.Seq, d.Time = 0, time.Now()
	for l := range b.mu.listeners {
		if !actors.Match(l.subject, d.Subject) {
			continue
		}
		select {
		case l.out <- d:
		default: // slow: lost
		}
	}
}

func matchAny(patterns []string, subject string) bool {
	for _, p := range patterns {
		if actors.Match(p, subject) {
			return true
		}
	}
	return false
}
