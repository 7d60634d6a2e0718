package spec

import (
	"cmp"
	"fmt"
	"strings"
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
	if _, err := nextClock(text, time.Unix(0, 0).UTC()); err == nil {
		return nil
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

// Fix turns a deadline that is a time of day into the next such time after now, in the zone of now
// if it names none. Other deadlines stay.
func (d *Doc) Fix(now time.Time) {
	if at, err := nextClock(d.Deadline, now); err == nil {
		d.Deadline = at.Format(time.RFC3339)
	}
}

// nextClock is the next time after now that clocks show as text, such as 06:00 or
// 06:00 Europe/Berlin.
func nextClock(text string, now time.Time) (time.Time, error) {
	clock, name, zoned := strings.Cut(text, " ")
	zone := now.Location()
	if zoned {
		var err error
		if zone, err = time.LoadLocation(name); err != nil {
			return time.Time{}, err
		}
	}
	t, err := time.Parse("15:04", clock)
	if err != nil {
		return time.Time{}, err
	}
	there := now.In(zone)
	for day := 0; ; day++ {
		at := time.Date(there.Year(), there.Month(), there.Day()+day, t.Hour(), t.Minute(), 0, 0, zone)
		if at.After(now) {
			return at, nil
		}
	}
}
