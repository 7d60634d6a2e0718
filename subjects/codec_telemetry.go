package subjects

import (
	"errors"
	"fmt"

	"lull/subjects/wire"
)

// EncodeTelemetry returns the message that carries a sample.
func EncodeTelemetry(p Pool, t Telemetry) (Message, error) {
	about, host := t.from()
	if err := errors.Join(CheckToken("host", host), check(t)); err != nil {
		return Message{}, fmt.Errorf("encode %T: %w", t, err)
	}
	body, err := wire.Marshal(t)
	return Message{Subject: p.subject(about, host), Body: body}, err
}

// DecodeTelemetry returns the sample that a message carries. A sample with an impossible value
// (NaN, a negative rate) is refused as a whole: nothing shows which of its other values the same
// fault changed.
func DecodeTelemetry(p Pool, subject string, body []byte) (Telemetry, error) {
	t, ok := splitSubject(p, subject)
	if !ok || t.n != 2 {
		return nil, fmt.Errorf("%w: subject %q", ErrUnknownKind, subject)
	}
	sample := newSample(t.at[0], t.at[1])
	if sample == nil {
		return nil, fmt.Errorf("%w: subject %q", ErrUnknownKind, subject)
	}
	if err := CheckToken("host", t.at[1]); err != nil {
		return nil, err
	}
	if err := wire.Unmarshal(body, sample); err != nil {
		return nil, err
	}
	if err := check(sample); err != nil {
		return nil, fmt.Errorf("decode %T: %w", sample, err)
	}
	return sample, nil
}

func newSample(about, host string) Telemetry {
	switch about {
	case "usage":
		return &Usage{Host: host}
	case "beat":
		return &Beat{Host: host}
	case "speed":
		return &Speeds{Host: host}
	}
	return nil
}

func (u *Usage) check() error {
	return errors.Join(
		atMost("cores", u.Cores, MaxCores),
		atMost("the length of the texts", len(u.Sensor)+len(u.Guarded), maxIdentity),
		within(
			bound{"primary", u.Primary, 0, MaxCores}, bound{"batch", u.Batch, 0, MaxCores}, bound{"idle", u.Idle, 0, MaxCores},
			bound{"usual", u.Usual, 0, MaxCores}, bound{"observed", u.Observed, 0, maxSeconds},
			count("at", u.At), count("memory", u.Memory), count("memory_free", u.MemoryFree), count("memory_batch", u.MemoryBatch),
			amount("disk_read", u.DiskRead), amount("disk_write", u.DiskWrite), amount("net_in", u.NetIn), amount("net_out", u.NetOut), amount("moved_in", u.MovedIn), amount("moved_out", u.MovedOut),
			share("cpu_pressure", u.CPUPressure), share("mem_pressure", u.MemPressure), share("io_pressure", u.IOPressure),
			count("disk_free", u.DiskFree), bound{"age", u.Age, 0, maxSeconds},
			amount("running", u.Running), amount("runnable", u.Runnable), amount("blocked", u.Blocked),
			amount("delay", u.Delay), amount("budget", u.Budget), bound{"cap", u.Cap, 0, MaxCores}))
}

func (b *Beat) check() error {
	if err := errors.Join(atMost("the number of attempts", len(b.Attempts), maxAttempts), atMost("the length of the boot id", len(b.Boot), maxIdentity)); err != nil {
		return err
	}
	for i := 1; i < len(b.Attempts); i++ {
		if b.Attempts[i] <= b.Attempts[i-1] {
			return fmt.Errorf("attempts are not ascending at index %d", i)
		}
	}
	if err := atMost("the number of saved attempts", len(b.Saved), maxAttempts); err != nil {
		return err
	}
	for i := 1; i < len(b.Saved); i++ {
		if b.Saved[i].Attempt <= b.Saved[i-1].Attempt {
			return fmt.Errorf("saved attempts are not ascending at index %d", i)
		}
	}
	return nil
}
