package spec

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxLabel bounds the label of a task, in characters.
const MaxLabel = 80

// Label returns what tells a task from the others of its stage for people: the file that it reads, its value of
// `each:`, its combination of `matrix:`, or its partition. split is the task's. The label is "" for a task that only
// has a number. It has at most MaxLabel characters, all of which can be printed in one line.
func (s *Stage) Label(task uint32, split *Split) string {
	switch {
	case s.Publish:
		return ""
	case len(s.Vars) > 0 && len(s.Vars) == len(split.Vars):
		return beginning(described(s.Vars, split.Vars))
	case len(split.Ranges) > 0:
		return labelOfRanges(split.Ranges)
	case split.Param != "":
		return beginning(split.Param)
	case slices.ContainsFunc(s.From, func(f From) bool { return f.Partition }):
		return fmt.Sprintf("partition %d", task)
	}
	return ""
}

// LabelOf returns the label of a job's task as far as the job itself says it: a longer list of splits is kept beside the
// job.
func LabelOf(j *Job, stage, task uint32) string {
	if int(stage) >= len(j.Stages) {
		return ""
	}
	s, split := &j.Stages[stage], new(Split)
	if int(task) < len(s.Splits) {
		split = &s.Splits[task]
	}
	return s.Label(task, split)
}

// labelOfRanges names the first file, with where the task's piece of it begins, or how many files follow. A header
// comes before the piece.
func labelOfRanges(ranges []Range) string {
	first, last := &ranges[0], &ranges[len(ranges)-1]
	switch others := otherFiles(ranges); {
	case others > 0:
		return ending(first.Path, fmt.Sprintf(" and %d more", others))
	case len(ranges) > 1 || last.Offset > 0 || last.Length < last.Size:
		return ending(last.Path, fmt.Sprintf(" from byte %d", last.Offset))
	}
	return ending(first.Path, "")
}

// otherFiles counts the files after the first one.
func otherFiles(ranges []Range) (n int) {
	for i := 1; i < len(ranges); i++ {
		if ranges[i].Path != ranges[i-1].Path {
			n++
		}
	}
	return n
}

// beginning returns the beginning of a text, as much of it as fits into a label.
func beginning(text string) string {
	runes := make([]rune, 0, MaxLabel)
	for _, r := range text {
		if len(runes) == MaxLabel {
			runes[MaxLabel-1] = '…'
			break
		}
		runes = append(runes, shown(r))
	}
	return strings.TrimSpace(string(runes))
}

// ending returns the end of a path, which tells it from others, as much of it as fits into a label before a suffix.
func ending(path, suffix string) string {
	room := MaxLabel - utf8.RuneCountInString(suffix)
	if over := utf8.RuneCountInString(path) - room; over > 0 {
		path = "…" + string([]rune(path)[over+1:])
	}
	return strings.Map(shown, path) + suffix
}

// shown replaces a character that would change how a terminal or a log shows what follows.
func shown(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsPrint(r):
		return r
	}
	return utf8.RuneError
}
