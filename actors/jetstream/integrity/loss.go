package integrity

import (
	"fmt"
	"strings"
	"time"
)

// Lost is a loss in one place of the store.
type Lost struct {
	Pool     string
	What     string // "entries of the log", "messages of the inbox"
	From, To uint64 // sequences, 0 if a whole stream is lost
	// Since and Until are the times of the messages around it, zero if they are not known.
	Since, Until time.Time
	File         string // the file or folder that held it
	Why          string // what is wrong with the file
}

func (l Lost) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "pool %s: ", l.Pool)
	switch {
	case l.To == 0:
		fmt.Fprintf(&b, "%s cannot be read", l.What)
	case l.From == l.To:
		fmt.Fprintf(&b, "1 of the %s is lost, %d", l.What, l.From)
	default:
		fmt.Fprintf(&b, "%d %s are lost, %d to %d", l.To-l.From+1, l.What, l.From, l.To)
	}
	if !l.Since.IsZero() {
		fmt.Fprintf(&b, ", written after %s", l.Since.Local().Format(time.DateTime))
	}
	if !l.Until.IsZero() {
		fmt.Fprintf(&b, " and before %s", l.Until.Local().Format(time.DateTime))
	}
	fmt.Fprintf(&b, ": %s %s", l.File, l.Why)
	return b.String()
}

// LossError says that the store has lost messages for good. Check changed nothing.
type LossError struct {
	Lost   []Lost
	Remedy string // the command that repairs the store without them
}

func (l *LossError) Error() string {
	texts := make([]string, len(l.Lost))
	for i, lost := range l.Lost {
		texts[i] = lost.String()
	}
	text := strings.Join(texts, "; ") + ". Nothing was changed: a backup of the data folder, put back, loses nothing"
	if l.Remedy != "" {
		text += fmt.Sprintf("; `%s` goes on without what is lost, and says what that means", l.Remedy)
	}
	return text
}
