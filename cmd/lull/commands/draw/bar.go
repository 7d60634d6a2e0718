package draw

import (
	"math"
	"strings"
	"time"

	"lull/client/progress"
	"lull/subjects"

	"charm.land/lipgloss/v2"
)

// part is a share of a bar. Glyphs differ as well as colours, for eyes and
// terminals that see no colour.
type part struct {
	amount float64
	glyph  string
	style  lipgloss.Style
}

// bar draws parts of a whole, width columns wide, "" if width is 0. Whatever
// is there gets a column as long as one is free: one of a thousand tasks that
// runs should be seen. Nothing but all of it fills the bar.
func bar(width int, whole float64, parts ...part) string {
	if width == 0 || whole <= 0 {
		return ""
	}
	var b strings.Builder
	free := width
	for _, p := range parts {
		n := int(math.Floor(p.amount / whole * float64(width)))
		if n == 0 && p.amount > 0 {
			n = 1
		}
		n = min(n, free)
		free -= n
		b.WriteString(draw(p.style, p.glyph, n))
	}
	return b.String() + draw(faint, "░", free)
}

func draw(style lipgloss.Style, glyph string, n int) string {
	if n == 0 {
		return ""
	}
	return style.Render(strings.Repeat(glyph, n))
}

func ofStage(st progress.Stage, width int) string {
	return bar(width, float64(st.Tasks),
		part{float64(st.Done), "█", green},
		part{float64(st.Held), "▒", cyan},
		part{float64(st.Dead), "×", red},
		part{float64(st.Cancelled), "-", yellow})
}

func ofCores(c subjects.CPUSum, width int) string {
	return bar(width, float64(c.Cores),
		part{c.Primary, "▓", lipgloss.NewStyle()},
		part{c.Harvested, "█", green})
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
