package webpage

import (
	"fmt"
	"strings"
	"time"
)

// levels is how many shades a heat strip has.
const levels = 10

// heat plots hosts from top to bottom, each a strip over time: the darker, the
// more of its cores. Strips cover of the span of the whole plot.
func heat(what string, strips []Strip, of, span time.Duration) string {
	const name = 150
	row := min(16, max(7, 320/max(float64(len(strips)), 1)))
	height := row*float64(len(strips)) + 24
	c := newCanvas(plotWidth, height, what)
	f := &frame{canvas: c, left: name, top: 0, right: plotWidth - 12, bottom: height - 22, x1: max(span.Seconds(), 1), y1: 1}
	for i := range strips {
		y := row * float64(i)
		if row >= 9 {
			c.text(name-6, y+row/2+3.5, "end", "tick", short(strips[i].Name, 24))
		}
		f.strip(&strips[i], of, y, row)
		c.rect(0, y, plotWidth, row, "hover", fmt.Sprintf("%s: %s on average %.0f %%", strips[i].Name, what, 100*mean(strips[i].Shares)))
	}
	for _, t := range clock(span, 6) {
		c.text(f.x(t.at), height-8, "middle", "tick", t.label)
	}
	return c.end()
}

// strip draws a host: cells of one shade that are neighbours as one box.
func (f *frame) strip(s *Strip, of time.Duration, y, row float64) {
	n := len(s.Shares)
	edge := func(i int) float64 { return f.x(of.Seconds() * float64(i) / float64(n)) }
	for from := 0; from < n; {
		to := from + 1
		for to < n && level(s.Shares[to]) == level(s.Shares[from]) {
			to++
		}
		if l := level(s.Shares[from]); l > 0 {
			f.rect(edge(from), y+0.5, edge(to)-edge(from), row-1, fmt.Sprintf("h%d", l), "")
		}
		from = to
	}
}

// level is a share's shade, from 0 for none.
func level(share float64) int {
	if !(share > 0.005) {
		return 0
	}
	return min(1+int(share*levels), levels)
}

func mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// shadeRules are the styles of the shades.
func shadeRules() string {
	var b strings.Builder
	for l := 1; l <= levels; l++ {
		fmt.Fprintf(&b, ".h%d{fill:var(--heat);fill-opacity:%.2f}\n", l, 0.08+0.92*float64(l)/levels)
	}
	return b.String()
}
