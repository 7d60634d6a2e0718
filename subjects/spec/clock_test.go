package spec

import (
	"strings"
	"testing"
	"time"
)

// fixed returns what Fix makes of a deadline.
func fixed(t *testing.T, text string, now time.Time) string {
	t.Helper()
	d := new(Doc)
	if err := d.SetDeadline(text, ""); err != nil {
		t.Errorf("SetDeadline(%q) = %v, want no error", text, err)
	}
	d.Fix(now)
	return d.Deadline
}

// In the night in which clocks go back, both times of the hour that comes twice are meant, and in the one in
// which they go forward a time that no clock shows is the end of the gap.
func TestTimesOfANightInWhichClocksChange(t *testing.T) {
	for _, c := range []struct{ now, text, want string }{
		{"2026-10-25T00:00:00Z", "02:30 Europe/Berlin", "2026-10-25T02:30:00+02:00"},
		{"2026-10-25T00:30:00Z", "02:30 Europe/Berlin", "2026-10-25T02:30:00+01:00"},
		{"2026-10-25T01:30:00Z", "02:30 Europe/Berlin", "2026-10-26T02:30:00+01:00"},
		{"2026-10-25T00:50:00Z", "02:10 Europe/Berlin", "2026-10-25T02:10:00+01:00"},
		{"2026-03-28T20:00:00Z", "02:30 Europe/Berlin", "2026-03-29T03:00:00+02:00"},
		{"2026-03-29T01:00:00Z", "02:30 Europe/Berlin", "2026-03-30T02:30:00+02:00"},
		{"2026-03-28T20:00:00Z", "02:00 Europe/Berlin", "2026-03-29T03:00:00+02:00"},
		{"2026-03-28T20:00:00Z", "03:00 Europe/Berlin", "2026-03-29T03:00:00+02:00"},
		{"2026-11-01T05:30:00Z", "01:30 America/New_York", "2026-11-01T01:30:00-05:00"},
		{"2026-03-08T00:00:00Z", "02:30 America/New_York", "2026-03-08T03:00:00-04:00"},
		{"2026-10-03T10:00:00Z", "02:15 Australia/Lord_Howe", "2026-10-04T02:30:00+11:00"}, // half an hour
		{"2026-04-04T14:59:00Z", "01:45 Australia/Lord_Howe", "2026-04-05T01:45:00+10:30"},
		{"2023-11-05T03:45:00Z", "23:30 America/Havana", "2023-11-05T23:30:00-05:00"},
		{"2006-10-29T02:31:30Z", "23:30 America/St_Johns", "2006-10-28T23:30:00-03:30"}, // the day before comes again
		{"2026-03-01T00:00:00Z", "2026-10-25T02:30 Europe/Berlin", "2026-10-25T02:30:00+02:00"},
		{"2026-10-25T00:30:00Z", "2026-10-25T02:30 Europe/Berlin", "2026-10-25T02:30:00+01:00"},
		{"2026-03-01T00:00:00Z", "2026-03-29T02:30 Europe/Berlin", "2026-03-29T03:00:00+02:00"},
		{"2011-12-29T20:00:00Z", "06:00 Pacific/Apia", "2011-12-31T00:00:00+14:00"}, // a day was left out
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		if got := fixed(t, c.text, now); got != c.want {
			t.Errorf("%s at %s is %s, want %s", c.text, c.now, got, c.want)
		}
	}
}

func TestFormsOfTimes(t *testing.T) {
	now := time.Date(2026, 11, 28, 16, 0, 0, 0, time.FixedZone("", 3600))
	for text, want := range map[string]string{
		"06:00:00":                       "2026-11-29T06:00:00+01:00",
		"6:00":                           "2026-11-29T06:00:00+01:00",
		"06:00 ":                         "2026-11-29T06:00:00+01:00",
		"06:00  Europe/Berlin":           "2026-11-29T06:00:00+01:00",
		"06:00 +02:00":                   "2026-11-29T06:00:00+02:00",
		"06:00 Asia/Kathmandu":           "2026-11-29T06:00:00+05:45",
		"2026-12-01T06:00":               "2026-12-01T06:00:00+01:00",
		"2026-12-01 06:00":               "2026-12-01T06:00:00+01:00",
		"2026-12-01 06:00:30":            "2026-12-01T06:00:30+01:00",
		"2026-12-01T06:00 Europe/London": "2026-12-01T06:00:00Z",
		"2026-12-01T06:00Z":              "2026-12-01T06:00:00Z",
		"2026-12-01T06:00+02:00":         "2026-12-01T06:00:00+02:00",
		"2020-12-01T06:00":               "2020-12-01T06:00:00+01:00",
	} {
		if got := fixed(t, text, now); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// A time that is not understood is answered with the form to write.
func TestWhatToWriteForATime(t *testing.T) {
	for text, says := range map[string]string{
		"6am":                   "write 06:00",
		"6 pm":                  "write 18:00",
		"6:30PM":                "write 18:30",
		"12am":                  "write 00:00",
		"6 p.m.":                "write 18:00",
		"06:00 CEST":            "write the zone's name, such as 06:00 Europe/Berlin, or 06:00 +02:00",
		"2026-12-01T06:00 CEST": "such as 2026-12-01T06:00 Europe/Berlin",
		"06:00 Europe/Nowhere":  `the time zone "Europe/Nowhere" is not known`,
		"06:00 Local":           `the time zone "Local" is not known`,
		"06:00 ../etc/passwd":   "is not known",
		"25:00":                 "is no deadline",
		"13pm":                  "is no deadline",
		"2026-12-01":            "is no deadline",
		"2026-13-01T06:00":      "is no deadline",
		"9999-12-01T06:00":      "is no deadline",
	} {
		if err := new(Doc).SetDeadline(text, ""); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("SetDeadline(%q) = %v, want %q", text, err, says)
		}
	}
}
