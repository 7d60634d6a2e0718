package spec

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/goccy/go-yaml/ast"
)

// size is bytes: a whole number, or text with a unit.
func (v value) size() (int64, error) {
	if _, ok := v.node.(*ast.IntegerNode); ok {
		return v.whole(1, math.MaxInt64)
	}
	s, ok := v.node.(*ast.StringNode)
	if !ok {
		return 0, v.wrong("a size such as 256MB")
	}
	n, err := ParseSize(s.Value)
	if err != nil || n == 0 {
		return 0, v.faultf("%q is not a size: write it as 64MB, 1.5GiB, or a number of bytes", s.Value)
	}
	return n, nil
}

// ParseSize reads a number of bytes, such as 64MB or 1.5GiB. It refuses a comma: 1,5GB is ten times as much to
// programs that take it for a separator of thousands.
func ParseSize(text string) (bytes int64, err error) {
	if strings.Contains(text, ",") {
		return 0, fmt.Errorf("%q has a comma: write 1.5GB, or 1500MB", text)
	}
	n, err := humanize.ParseBytes(text)
	if err == nil && n > math.MaxInt64 {
		err = fmt.Errorf("%q is more than a file can have", text)
	}
	return int64(n), err
}

// longest bounds every duration: ten years.
const longest = 10 * 365 * 24 * time.Hour

// duration is a positive time span, as time.ParseDuration reads it.
func (v value) duration() (time.Duration, error) {
	s, ok := v.node.(*ast.StringNode)
	if !ok {
		return 0, v.wrong("a duration with its unit, such as 90s")
	}
	d, err := time.ParseDuration(s.Value)
	if err == nil && d <= 0 {
		return 0, v.faultf("%q is not above zero: write it as 90s, 10m or 2h30m, or leave the field out", s.Value)
	}
	if err == nil && d > longest {
		return 0, v.faultf("%q is longer than ten years: give at most 87600h", s.Value)
	}
	if err != nil {
		return 0, v.faultf("%q is not a duration: write it as 90s, 10m or 2h30m", s.Value)
	}
	return d, nil
}

// deadline is a duration or a time; exactly one of the results is not zero.
func deadline(s string) (in time.Duration, at int64, ok bool) {
	if d, err := time.ParseDuration(s); err == nil {
		return d, 0, d > 0 && d <= longest
	}
	t, err := parseAny([]string{time.RFC3339, withoutSeconds}, s)
	if err != nil || t.Year() < 1970 || t.Year() > 2200 {
		return 0, 0, false // beyond 2262 the nanoseconds overflow
	}
	return 0, t.UnixNano(), t.UnixNano() > 0
}
