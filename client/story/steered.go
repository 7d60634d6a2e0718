package story

import (
	"fmt"
	"strings"

	"lull/subjects"
	"lull/subjects/humane"
)

// steered writes on which tenants' hosts a job runs, and why there.
func (t *teller) steered(at string, e *subjects.Steered) {
	var picked, room []string
	for _, c := range e.Classes {
		if c.Picked {
			picked = append(picked, c.Name)
		}
		if c.Headroom > 0 {
			room = append(room, fmt.Sprintf("%s %s × %d", c.Name, cores(c.Headroom), c.Weight))
		}
	}
	where := "to every host, since the classes together have no room for it"
	if len(picked) > 0 {
		where = "to hosts of " + strings.Join(picked, ", ")
	}
	t.sayf("%s steered %s%s: a %s job%s of up to %s at once.", at, where, again(e.Anew), e.Length, lastRun(e.Last), humane.Count(int(e.Need+999)/1000, "core"))
	if len(room) > 0 {
		t.sayf("         Headroom in cores × weight: %s.", strings.Join(room, ", "))
	}
}

func again(why string) string {
	switch why {
	case subjects.SteeredVanished:
		return ", because its classes have no host any more"
	case subjects.SteeredStarved:
		return ", because it got no slot for minutes"
	}
	return ""
}

func lastRun(seconds float64) string {
	if seconds <= 0 {
		return " (the first of its type)"
	}
	return fmt.Sprintf(" (the last of its type ran for %s)", humane.Seconds(seconds))
}

// cores formats thousandths of a core as people write them.
func cores(thousandths int64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.1f", float64(thousandths)/1000), "0"), ".")
}
