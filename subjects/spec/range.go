package spec

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// spanned matches a range of whole numbers.
var spanned = regexp.MustCompile(`^([+-]?[0-9]+)\.\.([+-]?[0-9]+)$`)

// span reads a range of whole numbers such as 1..200, both ends included. It is nil without an
// error for what is none.
func (v value) span() ([]string, error) {
	s, ok := v.node.(*ast.StringNode)
	if !ok {
		return nil, nil
	}
	ends := spanned.FindStringSubmatch(s.Value)
	if ends == nil {
		return nil, nil
	}
	low, below := strconv.ParseInt(ends[1], 10, 64)
	high, above := strconv.ParseInt(ends[2], 10, 64)
	switch {
	case below != nil || above != nil:
		return nil, v.faultf("the range %q has a number that is too large: write at most 18 digits", s.Value)
	case low > high:
		return nil, v.faultf("the range %q is empty: write the smaller number first", s.Value)
	}
	items := 1 + int(min(uint64(high)-uint64(low), maxExpanded)) // the difference may be more than an int64 holds
	if err := v.expand(items); err != nil {
		return nil, err
	}
	numbers, digits := make([]string, 0, items), digitsOf(ends[1], ends[2])
	for n := range int64(items) { // counted from low: a number above high may be more than an int64 holds
		numbers = append(numbers, fmt.Sprintf("%0*d", digits, low+n))
	}
	return numbers, nil
}

// digitsOf returns how many characters the numbers of a range have at least: 08..12 begins with 08 and 09, as in a
// shell, and finds the files that are numbered so. It is 0 where neither end begins with a zero.
func digitsOf(low, high string) int {
	low, high = strings.TrimPrefix(low, "+"), strings.TrimPrefix(high, "+")
	if !padded.MatchString(low) && !padded.MatchString(high) {
		return 0
	}
	return max(len(low), len(high))
}

// padded matches a number with zeros before it.
var padded = regexp.MustCompile(`^-?0[0-9]`)

// expand counts items that a short text stands for: a document of a few bytes may not take
// gigabytes to read.
func (v value) expand(items int) error {
	if v.doc.expanded += items; v.doc.expanded > maxExpanded {
		return v.faultf(tooExpanded, maxExpanded)
	}
	return nil
}
