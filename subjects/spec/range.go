package spec

import (
	"regexp"
	"strconv"

	"github.com/goccy/go-yaml/ast"
)

// spanned matches a range of whole numbers.
var spanned = regexp.MustCompile(`^([+-]?[0-9]{1,9})\.\.([+-]?[0-9]{1,9})$`)

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
	low, _ := strconv.ParseInt(ends[1], 10, 64) // they are numbers of few digits
	high, _ := strconv.ParseInt(ends[2], 10, 64)
	if low > high {
		return nil, v.faultf("the range %q is empty: write the smaller number first", s.Value)
	}
	if err := v.expand(int(high - low + 1)); err != nil {
		return nil, err
	}
	numbers := make([]string, 0, high-low+1)
	for n := low; n <= high; n++ {
		numbers = append(numbers, strconv.FormatInt(n, 10))
	}
	return numbers, nil
}

// expand counts items that a short text stands for: a document of a few bytes may not take
// gigabytes to read.
func (v value) expand(items int) error {
	if v.doc.expanded += items; v.doc.expanded > maxExpanded {
		return v.faultf(tooExpanded, maxExpanded)
	}
	return nil
}
