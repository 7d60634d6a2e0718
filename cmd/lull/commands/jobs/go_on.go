package jobs

import (
	"slices"
	"strings"
	"time"

	"lull/cmd/lull/shellword"
	"lull/subjects"
)

// goOn returns the command lines with which a job that was rejected because of its deadline would be admitted, made of the
// command line that submitted it. earliest is the earliest deadline that can be promised, zero if there is none. It is ""
// for other rejections.
func goOn(argv []string, code string, earliest time.Time) string {
	if len(argv) == 0 || !slices.Contains([]string{subjects.ReasonDeadline, subjects.ReasonOthers, subjects.ReasonPast}, code) {
		return ""
	}
	text := "To run it without a promise, after the jobs whose deadlines can be kept:\n  " + commandLine(argv, "--late", "run")
	if !earliest.IsZero() {
		text += "\nTo run it with the earliest deadline that can be kept:\n  " + commandLine(argv, "--deadline", earliest.Local().Format(time.RFC3339))
	}
	return text
}

// commandLine is a command line with one more flag, before a -- if there is one. It leaves out an earlier value of the
// flag, and the submission's id: under that, the pool has its verdict.
func commandLine(argv []string, flag, value string) string {
	var words, tail []string
	if at := slices.Index(argv, "--"); at >= 0 {
		argv, tail = argv[:at], argv[at:]
	}
	for i := 0; i < len(argv); i++ {
		name, _, inline := strings.Cut(argv[i], "=")
		if name != flag && name != "--id" {
			words = append(words, argv[i])
		} else if !inline {
			i++
		}
	}
	words = append(append(words, flag, value), tail...)
	for i := range words {
		words[i] = shellword.Of(words[i])
	}
	return strings.Join(words, " ")
}
