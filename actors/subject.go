package actors

import "strings"

// Match reports whether a subject matches a NATS pattern: '*' stands for one
// token, '>' for one or more at the end, "" for every subject.
func Match(pattern, subject string) bool {
	if pattern == "" {
		return true
	}
	for {
		want, restWant, moreWant := strings.Cut(pattern, ".")
		got, rest, more := strings.Cut(subject, ".")
		switch {
		case want == ">":
			return true
		case want != "*" && want != got, moreWant != more:
			return false
		case !more:
			return true
		}
		pattern, subject = restWant, rest
	}
}
