package shell_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lull/actors"
	"lull/actors/memory"
	"lull/actors/shell"
	"lull/subjects"
)

// judge answers each message of the inbox, once the test permits it.
type judge struct {
	echo
	begun, goes chan struct{}
}

func (a *judge) InboxFrom() uint64 { return 0 }

func (a *judge) Step(in actors.Input) (out actors.Output) {
	if in.Request != nil {
		a.begun <- struct{}{}
		<-a.goes
		out.Replies = []actors.Reply{{Inbox: in.Request.Seq, Verdict: subjects.Verdict{Verdict: "refused"}}}
	}
	return out
}

// While the loop is busy with a message, more arrive than it keeps in bytes. It keeps their
// senders, so all get a verdict.
func TestSendersOfLargeMessagesAreAnswered(t *testing.T) {
	for name, header := range map[string]map[string]string{"without ids": nil, "with ids": {"Nats-Msg-Id": ""}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { sendLarge(t, header != nil) })
		})
	}
}

func sendLarge(t *testing.T, named bool) {
	const many = 40
	bus := memory.New("test")
	ctx, stop := context.WithCancel(t.Context())
	a := &judge{begun: make(chan struct{}, many), goes: make(chan struct{})}
	service := running(t, ctx, shell.Config{Role: actors.Role{Name: "judge"}, Bus: bus, Actor: a})
	verdicts, err := bus.Listen(ctx, "verdicts.*")
	if err != nil {
		t.Fatal(err)
	}
	send := func(i int, body string) {
		d := actors.Delivery{Subject: bus.Pool().Submit(), Reply: fmt.Sprint("verdicts.", i), Body: []byte(body)}
		if named {
			d.Header = map[string]string{"Nats-Msg-Id": fmt.Sprint(i)}
		}
		if err := bus.Send(d); err != nil {
			t.Fatal(err)
		}
	}
	send(0, "")
	<-a.begun
	for i := range many - 1 {
		send(i+1, fmt.Sprint(i, strings.Repeat("x", 900_000)))
	}
	synctest.Wait() // all are received
	close(a.goes)
	time.Sleep(time.Second) // of virtual time: a verdict that is there before its sender is sent after a pause
	if len(verdicts) != many {
		t.Errorf("senders with a verdict = %d, want %d", len(verdicts), many)
	}
	stop()
	<-service.Done()
}
