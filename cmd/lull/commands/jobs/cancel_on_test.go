package jobs

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"

	"lull/client"
	"lull/cmd/lull/interrupt"
	"lull/subjects"
)

// A cancel that admission does not answer, because the log has no room, does not keep an interrupted command for ever.
func TestACancelWithoutAnAnswerDoesNotKeepARun(t *testing.T) {
	interrupt.Listen(t.Context()).Stop() // the runtime's reader of signals starts outside of the bubble
	synctest.Test(t, func(t *testing.T) {
		on := interrupt.Listen(t.Context())
		defer on.Stop()
		var said strings.Builder
		begun := time.Now()
		leaveUnanswered(on, "a-1", silent{&said})
		if waited := time.Since(begun); waited != leaveAfter || !on.Twice() {
			t.Errorf("leaveUnanswered() took %v, Twice() = %v, want %v, true", waited, on.Twice(), leaveAfter)
		}
		if want := "a-1 is cancelled when it answers again"; !strings.Contains(said.String(), want) {
			t.Errorf("message = %q, want %q in it", said.String(), want)
		}
	})
}

// The cancel of a job that ends at the same moment has not failed.
func TestACancelMayComeTooLate(t *testing.T) {
	refused := fmt.Errorf("a-1: %w", client.ErrRefused)
	for _, c := range []struct {
		verdict *subjects.Verdict
		err     error
		want    bool
	}{
		{&subjects.Verdict{Text: "no job with this id is open"}, refused, true},
		{nil, fmt.Errorf("cancel a-1: %w", nats.ErrConnectionClosed), true},
		{&subjects.Verdict{Code: subjects.ReasonForbidden}, refused, false},
		{nil, errors.New("the server did not take the request"), false},
	} {
		if got := tooLate(c.verdict, c.err); got != c.want {
			t.Errorf("tooLate(%v, %v) = %v, want %v", c.verdict, c.err, got, c.want)
		}
	}
}
