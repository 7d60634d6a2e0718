package spec

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// These are the values of Doc.Late: what becomes of a job with a deadline that cannot be kept.
const (
	LateReject = "reject" // it is rejected; the default
	LateRun    = "run"    // it runs after all jobs with deadlines that can be kept
)

// readDeadline reads a deadline, or a map of at: and late:.
func (d *Doc) readDeadline(v value) error {
	if _, ok := v.node.(*ast.MappingNode); ok {
		return v.fields(d.deadlineFields()...)
	}
	return d.readAt(v)
}

func (d *Doc) deadlineFields() []field {
	return []field{
		field{name: "at", read: d.readAt, form: textForm}.says("The deadline itself."),
		field{name: "late", read: d.readLate, form: lateForm}.says("The same as `late` of the job."),
	}
}

func (d *Doc) readAt(v value) (err error) {
	if d.Deadline, err = v.text(); err != nil {
		return err
	}
	if err := checkDeadline(d.Deadline); err != nil {
		return v.faultf("%v", err)
	}
	return nil
}

func (d *Doc) readLate(v value) (err error) {
	if d.Late, err = v.text(); err == nil && !isLate(d.Late) {
		err = v.faultf(noLate, d.Late)
	}
	return err
}

const noLate = "%q is not known: write run or reject"

// checkDeadline says why a text is no deadline.
func checkDeadline(text string) error {
	if _, _, ok := deadline(text); ok {
		return nil
	}
	_, err := parseLocal(text)
	if err == nil || !errors.Is(err, errNotLocal) {
		return err
	}
	if clock := twelveHours(text); clock != "" {
		return fmt.Errorf("%q is a time of twelve hours: write %s, or %s Europe/Berlin", text, clock, clock)
	}
	if _, err := time.ParseDuration(text); err == nil {
		return fmt.Errorf("%q is out of bounds: give a duration above zero, of at most ten years (87600h)", text)
	}
	if _, err := time.Parse(time.RFC3339, text); err == nil {
		return fmt.Errorf("%q is out of bounds: give a time from 1971 to 2200, or leave deadline: out", text)
	}
	return fmt.Errorf("%q is no deadline: write a duration from now on, such as 10m, a time of day, such as 06:00 or 06:00 Europe/Berlin, or a time, such as 2026-12-01T06:00:00Z", text)
}

func isLate(text string) bool { return text == LateRun || text == LateReject }

// SetDeadline replaces what the document says of its deadline; "" leaves it as it is.
func (d *Doc) SetDeadline(at, late string) error {
	if at != "" {
		if err := checkDeadline(at); err != nil {
			return fmt.Errorf("deadline: %w", err)
		}
	}
	if late != "" && !isLate(late) {
		return fmt.Errorf("late: "+noLate, late)
	}
	d.Deadline, d.Late = cmp.Or(at, d.Deadline), cmp.Or(late, d.Late)
	return nil
}

// withoutSeconds is the form of an absolute time that RFC 3339 does not know, and other standards do.
const withoutSeconds = "2006-01-02T15:04Z07:00"

// Fix turns a deadline that names a time of a zone's clocks into that time: the next one after now, if it
// names no day, and in the zone of now if it names none. Other deadlines stay.
func (d *Doc) Fix(now time.Time) {
	if local, err := parseLocal(d.Deadline); err == nil {
		d.Deadline = local.after(now).Format(time.RFC3339)
	} else if t, err := time.Parse(withoutSeconds, d.Deadline); err == nil {
		d.Deadline = t.Format(time.RFC3339)
	}
}

// NeedsZone reports whether Fix takes the zone of a deadline from now.
func NeedsZone(deadline string) bool {
	local, err := parseLocal(deadline)
	return err == nil && local.zone == nil
}
