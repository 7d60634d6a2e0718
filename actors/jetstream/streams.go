package jetstream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"lull/subjects"
	"lull/subjects/history"
)

const (
	// inboxAge is how long a submission stays readable after admission moved it into the log, so that
	// people can look it up.
	inboxAge = 30 * 24 * time.Hour
	// inboxRepeats is how long the server drops a repeated Nats-Msg-Id. It is the shortest time
	// allowed, because the server also drops another submitter's message with the same id.
	// Admission finds repeats itself, from the log.
	inboxRepeats = subjects.RepeatWindow
	// quarantineRepeats is the time within which several readers of one message
	// quarantine it only once.
	quarantineRepeats = 2 * time.Hour

	quarantineAge   = 7 * 24 * time.Hour
	quarantineBytes = 64 << 20
)

func logStream(p subjects.Pool) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: p.Log(), Description: "lull: the facts of pool " + string(p),
		Subjects: p.LogSubjects(), Retention: jetstream.LimitsPolicy, Storage: jetstream.FileStorage,
		Discard: jetstream.DiscardNew, AllowAtomicPublish: true, AllowDirect: true,
	}
}

func inboxStream(p subjects.Pool) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: p.Inbox(), Description: "lull: what clients of pool " + string(p) + " asked for",
		Subjects: p.InboxSubjects(), Retention: jetstream.LimitsPolicy, Storage: jetstream.FileStorage,
		Duplicates: inboxRepeats, MaxAge: inboxAge, AllowDirect: true,
	}
}

func quarantineStream(p subjects.Pool) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: p.QuarantineStream(), Description: "lull: bytes that were no message, with the reason",
		Subjects: []string{p.Quarantine("*")}, Retention: jetstream.LimitsPolicy, Storage: jetstream.FileStorage,
		Discard: jetstream.DiscardOld, MaxAge: quarantineAge, MaxBytes: quarantineBytes,
		Duplicates: quarantineRepeats, AllowDirect: true,
	}
}

// listsStream keeps pieces of task lists under their sums. It allows no rollup, with
// which one message of a client could remove the pieces of all others.
func listsStream(p subjects.Pool) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: p.Lists(), Description: "lull: task lists of pool " + string(p),
		Subjects: []string{p.Piece("*", "*")}, Retention: jetstream.LimitsPolicy, Storage: jetstream.FileStorage,
		MaxMsgsPerSubject: 1, AllowDirect: true,
	}
}

// historyMessages is the largest number of blocks of history. It has room for 10,000 hosts in 31
// days, and for an import of a month of as many. The server keeps an index of each subject in
// memory.
const historyMessages = 400_000

// historyStream keeps the last block of each host and day. Its age counts from a block's
// arrival.
func historyStream(p subjects.Pool) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: p.History(), Description: "lull: what the primaries of pool " + string(p) + " used",
		Subjects: p.HistorySubjects(), Retention: jetstream.LimitsPolicy, Storage: jetstream.FileStorage,
		Discard: jetstream.DiscardNew, MaxAge: history.Days * 24 * time.Hour, MaxMsgsPerSubject: 1,
		MaxMsgs: historyMessages, MaxMsgSize: history.MaxBody + 1<<10, AllowDirect: true,
	}
}

// ensureStream makes a stream, or updates the subjects and the duplicate window of one that
// an older version made. Other differences cannot be changed in place and are errors.
func ensureStream(ctx context.Context, js jetstream.JetStream, want jetstream.StreamConfig) error {
	_, err := js.CreateStream(ctx, want)
	if err == nil {
		return nil
	}
	if !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return fmt.Errorf("create stream %s: %w", want.Name, err)
	}
	stream, err := js.Stream(ctx, want.Name)
	if err != nil {
		return fmt.Errorf("look at stream %s: %w", want.Name, err)
	}
	have := stream.CachedInfo().Config
	if why := incompatible(have, want); why != "" {
		return fmt.Errorf("stream %s exists but %s: it was not made by lull, or by another version; move it away or use another pool", want.Name, why)
	}
	return renewStream(ctx, js, have, want)
}

func incompatible(have, want jetstream.StreamConfig) string {
	switch {
	case have.Storage != want.Storage:
		return "is not kept in files"
	case have.Retention != want.Retention:
		return "does not have limits retention"
	case want.AllowAtomicPublish && !have.AllowAtomicPublish:
		return "does not allow atomic batches"
	case have.Mirror != nil || have.Sealed:
		return "cannot be written to"
	}
	return ""
}

func renewStream(ctx context.Context, js jetstream.JetStream, have, want jetstream.StreamConfig) error {
	outdated := have.Duplicates > want.Duplicates
	have.Duplicates = min(have.Duplicates, want.Duplicates)
	for _, subject := range want.Subjects {
		if !slices.Contains(have.Subjects, subject) {
			have.Subjects = append(have.Subjects, subject)
			outdated = true
		}
	}
	if !outdated {
		return nil
	}
	if _, err := js.UpdateStream(ctx, have); err != nil {
		return fmt.Errorf("bring stream %s up to date: %w", have.Name, err)
	}
	return nil
}
