package shim

import (
	"errors"
	"os"
	"testing"
	"time"
)

// late is a connection whose first tries come after their deadline.
type late struct{ tries, late, sent int }

func (l *late) SetWriteDeadline(time.Time) error { return nil }

func (l *late) Write(b []byte) (int, error) {
	if l.tries++; l.tries <= l.late {
		return l.sent, os.ErrDeadlineExceeded
	}
	return len(b), nil
}

func TestATimeThatWasSleptThroughIsNoReasonToHangUp(t *testing.T) {
	for _, c := range []struct {
		conn  late
		lost  bool
		tries int
	}{{late{}, false, 1}, {late{late: 1}, false, 2}, {late{late: 2}, true, 2}, {late{late: 1, sent: 1}, true, 1}} {
		conn := c.conn
		err := write(&conn, []byte("frame"))
		if errors.Is(err, os.ErrDeadlineExceeded) != c.lost || conn.tries != c.tries {
			t.Errorf("%+v: %v after %d tries, want lost %v after %d", c.conn, err, conn.tries, c.lost, c.tries)
		}
	}
}
