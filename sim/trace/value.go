package trace

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// maxSeconds bounds every time: 200 years, so that Unix times are times too
// and none overflows a time.Duration.
const maxSeconds = 200 * 365 * 24 * 3600

// fault points at a field of the present row.
func (t *table) fault(i int, format string, args ...any) *Fault {
	return &Fault{Line: t.line, Column: t.record.starts[i], Field: t.header[i], Text: fmt.Sprintf(format, args...)}
}

// number reads a field as a number between bounds.
func (t *table) number(i int, least, most float64) (float64, *Fault) {
	text := strings.TrimSpace(t.fields[i])
	if text == "" {
		return 0, t.fault(i, "it is empty: write a number")
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, t.fault(i, "%q is not a number: write one such as 12.5", brief(text))
	}
	if v < least || v > most {
		return 0, t.fault(i, "%s is out of bounds: write a number from %s to %s", brief(text), plain(least), plain(most))
	}
	return v, nil
}

// optional is number for a field that may be empty, or a column that may be
// missing (i < 0).
func (t *table) optional(i int, fallback, least, most float64) (float64, *Fault) {
	if i < 0 || strings.TrimSpace(t.fields[i]) == "" {
		return fallback, nil
	}
	return t.number(i, least, most)
}

// whole is optional for counts.
func (t *table) whole(i int, fallback, least, most float64) (float64, *Fault) {
	v, fault := t.optional(i, fallback, least, most)
	if fault == nil && v != math.Trunc(v) {
		return 0, t.fault(i, "%s is not a whole number: write one such as 12", brief(t.fields[i]))
	}
	return v, fault
}

// text is a field as it stands, "" for a missing column.
func (t *table) text(i int) string {
	if i < 0 {
		return ""
	}
	return strings.TrimSpace(t.fields[i])
}

// plain writes a number without an exponent where that is short.
func plain(v float64) string {
	if math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

func seconds(s float64) time.Duration { return time.Duration(math.Round(s * 1e9)) }

// count is a number with its noun, in the plural unless it is one.
func count(n int, noun string) string {
	switch {
	case noun == "":
		return strconv.Itoa(n)
	case n != 1:
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
