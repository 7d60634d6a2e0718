package adhoc

import (
	"fmt"
	"strconv"
	"strings"
)

// Halt says after how many failed commands the others are ended.
type Halt struct {
	fails   int     // 0 for no number
	percent float64 // of all tasks, 0 for no share
}

// ParseHalt reads the values of GNU parallel's --halt that end running commands: never, now,fail=N and
// now,fail=P%.
func ParseHalt(text string) (h Halt, err error) {
	if text == "" || text == "never" {
		return h, nil
	}
	when, what, _ := strings.Cut(text, ",")
	count, ok := strings.CutPrefix(what, "fail=")
	if when != "now" || !ok {
		return h, fmt.Errorf("--halt %q: write never, now,fail=N or now,fail=P%%", text)
	}
	if share, isShare := strings.CutSuffix(count, "%"); isShare {
		h.percent, err = strconv.ParseFloat(share, 64)
		if err != nil || !(h.percent > 0 && h.percent <= 100) {
			return h, fmt.Errorf("--halt %q: %s is no share above 0 and up to 100 %%", text, share)
		}
		return h, nil
	}
	if h.fails, err = strconv.Atoi(count); err != nil || h.fails < 1 {
		return h, fmt.Errorf("--halt %q: %q is no number from 1 on", text, count)
	}
	return h, nil
}

// Reached reports whether so many failures among so many tasks end the others.
func (h Halt) Reached(failed, tasks int) bool {
	return h.fails > 0 && failed >= h.fails || h.percent > 0 && float64(failed)*100 >= h.percent*float64(tasks)
}
