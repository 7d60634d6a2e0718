package spec

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	_ "time/tzdata" // zones have one meaning on all machines, also where no database is installed
)

// localTime is a deadline that clocks of a zone show: a time of day, or a day and a time.
type localTime struct {
	year, day    int // day is that of the month; year 0: the next such time of any day
	month        time.Month
	hour, minute int
	second       int
	zone         *time.Location // nil: that of the caller
}

var (
	dayLayouts   = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"}
	clockLayouts = []string{"15:04:05", "15:04"}

	dayStart = regexp.MustCompile(`^\d{4}-\d\d-\d\d[T ]`)
	meridiem = regexp.MustCompile(`^(?i)\d{1,2}(:\d\d)?(:\d\d)? ?[ap]\.?m\.?$`)
	initials = regexp.MustCompile(`^[A-Z]{2,5}$`)
)

var errNotLocal = errors.New("not a time of a zone's clocks")

// parseLocal reads a time such as 06:00, 06:00:00 Europe/Berlin or 2026-12-01T06:00. It returns
// errNotLocal for a text of another kind, and says what to write for one whose zone is unknown.
func parseLocal(text string) (l localTime, err error) {
	clock, zone := splitZone(text)
	var t time.Time
	switch {
	case dayStart.MatchString(clock):
		t, err = parseAny(dayLayouts, clock)
		l.year, l.month, l.day = t.Date()
		if err == nil && (l.year < 1970 || l.year > 2200) {
			return l, errNotLocal
		}
	default:
		t, err = parseAny(clockLayouts, clock)
	}
	if err != nil {
		return l, errNotLocal
	}
	l.hour, l.minute, l.second = t.Clock()
	if zone != "" {
		l.zone, err = zoneOf(clock, zone)
	}
	return l, err
}

// splitZone cuts a text before the name of its zone.
func splitZone(text string) (clock, zone string) {
	clock = strings.TrimSpace(text)
	from := 0
	if dayStart.MatchString(clock) {
		from = len("2006-01-02 ")
	}
	if at := strings.IndexByte(clock[from:], ' '); at >= 0 {
		return clock[:from+at], strings.TrimSpace(clock[from+at:])
	}
	return clock, ""
}

func parseAny(layouts []string, text string) (t time.Time, err error) {
	for _, layout := range layouts {
		if t, err = time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return t, err
}

// zoneOf finds a zone by its name, or by its distance from UTC, such as +02:00.
func zoneOf(clock, name string) (*time.Location, error) {
	if t, err := time.Parse("-07:00", name); err == nil {
		_, offset := t.Zone()
		return time.FixedZone("", offset), nil
	}
	if zone, err := time.LoadLocation(name); err == nil && name != "Local" {
		return zone, nil
	}
	if initials.MatchString(name) {
		return nil, fmt.Errorf("%q is an abbreviation, which several zones may share: write the zone's name, such as %s Europe/Berlin, or %s +02:00", name, clock, clock)
	}
	return nil, fmt.Errorf("the time zone %q is not known: write one such as %s Europe/Berlin, or %s +02:00", name, clock, clock)
}

// twelveHours returns what to write for a time such as 6am, "" for other texts.
func twelveHours(text string) string {
	text = strings.TrimSpace(text)
	if !meridiem.MatchString(text) {
		return ""
	}
	text = strings.ToUpper(strings.NewReplacer(" ", "", ".", "").Replace(text))
	t, err := parseAny([]string{"3PM", "3:04PM", "3:04:05PM"}, text)
	if err != nil {
		return ""
	}
	return t.Format("15:04")
}

// after returns the first such time after now, in the zone of now unless l names one. For a day in
// the past it is the last such time.
func (l localTime) after(now time.Time) time.Time {
	zone := l.zone
	if zone == nil {
		zone = now.Location()
	}
	if l.year != 0 {
		times := l.on(l.year, l.month, l.day, zone)
		if times[0].After(now) {
			return times[0]
		}
		return times[len(times)-1]
	}
	there := now.In(zone)
	// Where clocks go back at midnight, the day before comes again.
	for day := there.Day() - 1; ; day++ {
		for _, at := range l.on(there.Year(), there.Month(), day, zone) {
			if at.After(now) {
				return at
			}
		}
	}
}

// on returns when the clocks of a zone show the time on a day: twice in an hour that comes again,
// and the end of the gap if clocks are set forward past it.
func (l localTime) on(year int, month time.Month, day int, zone *time.Location) []time.Time {
	wall := time.Date(year, month, day, l.hour, l.minute, l.second, 0, time.UTC)
	_, before := wall.AddDate(0, 0, -1).In(zone).Zone()
	_, later := wall.AddDate(0, 0, 1).In(zone).Zone()
	var times []time.Time
	for _, offset := range []int{max(before, later), min(before, later)} {
		at := wall.Add(-time.Duration(offset) * time.Second).In(zone)
		if _, shown := at.Zone(); shown == offset && (len(times) == 0 || !at.Equal(times[0])) {
			times = append(times, at)
		}
	}
	if len(times) == 0 { // as the clocks before the change would show it, it lies behind the change
		gap, _ := wall.Add(-time.Duration(before) * time.Second).In(zone).ZoneBounds()
		times = append(times, gap.In(zone))
	}
	return times
}
