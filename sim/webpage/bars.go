package webpage

import (
	"fmt"
	"strconv"
)

// bars plots the outcomes of the jobs, a bar a policy.
func bars(policies []Policy) string {
	const row, name = 24, 84
	c := newCanvas(plotWidth, float64(row*len(policies)+6), "jobs by what became of them")
	most := 1.0
	for i := range policies {
		most = max(most, policies[i].jobs())
	}
	for i := range policies {
		p, y := &policies[i], float64(row*i)
		c.text(name-8, y+16, "end", "label", short(p.Name, 12))
		x := float64(name)
		for _, part := range p.parts() {
			w := part.n / most * (plotWidth - name - 8)
			c.rect(x, y+2, w, row-4, part.class, fmt.Sprintf("%s: %s %s", p.Name, amount(part.n), part.name))
			if label := amount(part.n); w > float64(7*len(label)+4) {
				c.text(x+w/2, y+16, "middle", "on "+part.class, label)
			}
			x += w
		}
	}
	return c.end()
}

type part struct {
	n           float64
	class, name string
}

func (p *Policy) parts() []part {
	return []part{
		{p.Met, "met", "met their deadline"}, {p.Missed, "missed", "missed it"}, {p.Rejected, "rejected", "were rejected"},
		{p.Free, "free", "had no deadline"},
	}
}

func (p *Policy) jobs() (n float64) {
	for _, part := range p.parts() {
		n += part.n
	}
	return n
}

// amount writes a count; the mean of several runs may have a fraction.
func amount(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// short cuts a name for a margin.
func short(name string, most int) string {
	if r := []rune(name); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return name
}
