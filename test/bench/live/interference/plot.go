package interference

import (
	"fmt"
	"html"
	"math"
	"strings"

	"lull/test/bench/live/stage"
	"lull/test/stat"
)

// The plot's sizes, in SVG units: a panel a condition.
const (
	paretoW, paretoH = 360.0, 300.0
	paretoLeft       = 52.0
	paretoTop        = 34.0
	paretoPlotW      = 290.0
	paretoPlotH      = 215.0
)

// colours of the ways, distinct to people who see no red or green (Okabe and Ito).
var colours = map[string]string{
	stage.Alone: "#000000", stage.Unmanaged: "#d55e00", stage.Niced: "#e69f00", stage.Weighted: "#cc79a7", stage.Idled: "#56b4e9", stage.Lulled: "#009e73",
	stage.Thin: "#777777", stage.OnCore: "#0072b2", stage.Spread: "#8a6d00",
}

// page is the plot of tail against harvest as one self-contained page.
func (t *trial) page() string {
	var b strings.Builder
	b.WriteString("<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Tail against harvest</title>\n" +
		"<style>body{font:14px/1.5 system-ui,sans-serif;max-width:1160px;margin:2em auto;padding:0 1em;color:#222}" +
		"svg{max-width:100%;height:auto}table{border-collapse:collapse}td,th{padding:.15em .8em;text-align:right}td:first-child,th:first-child{text-align:left}</style>\n" +
		"<h1>What users notice, and what batch work gets</h1>\n" +
		"<p>p99 latency over that of the primary alone, with its 95 % interval (logarithmic), against the share of the idle CPU that batch work got. Right and low is better; the shaded corner is the aim: at most 1.25 with at least 75 %.</p>\n")
	tail := t.scale()
	for _, c := range t.cases {
		fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" font-size="11" fill="#333">`+"\n", paretoW, paretoH, paretoW)
		c.axes(&b, tail)
		for _, way := range t.f.ways {
			if way != stage.Alone {
				c.point(&b, tail, way)
			}
		}
		b.WriteString("</svg>\n")
	}
	t.figures(&b)
	b.WriteString("</html>\n")
	return b.String()
}

func (c *condition) axes(b *strings.Builder, tail scale) {
	fmt.Fprintf(b, `<text x="%.0f" y="16" font-weight="600" font-size="13">primary at %.0f %%, %s</text>`+"\n", paretoLeft, 100*c.load, html.EscapeString(c.kind))
	fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#009e73" fill-opacity="0.12"/>`+"\n",
		harvestX(retainedLeast), tail.y(tailMost), harvestX(1)-harvestX(retainedLeast), tail.y(0)-tail.y(tailMost))
	b.WriteString(`<g stroke="#ddd" fill="#666">` + "\n")
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
		x := harvestX(share)
		fmt.Fprintf(b, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/><text stroke="none" x="%.1f" y="%.1f" text-anchor="middle">%.0f %%</text>`+"\n",
			x, x, paretoTop, paretoTop+paretoPlotH, x, paretoTop+paretoPlotH+16, 100*share)
	}
	for _, ratio := range []float64{1, 2, 5, 10, 100, 1000, 10000} {
		if ratio > float64(tail) {
			break
		}
		y := tail.y(ratio)
		fmt.Fprintf(b, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/><text stroke="none" x="%.1f" y="%.1f" text-anchor="end">×%.0f</text>`+"\n",
			paretoLeft, paretoLeft+paretoPlotW, y, y, paretoLeft-5, y+4, ratio)
	}
	b.WriteString("</g>\n")
}

// point draws a way with its interval.
func (c *condition) point(b *strings.Builder, tail scale, way string) {
	x, e := harvestX(c.retained(way)), c.p99Over(way, stage.Alone)
	y, colour := tail.y(e.mid), colours[way]
	fmt.Fprintf(b, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" stroke="%s" stroke-width="1.5"/>`, x, x, tail.y(e.low), tail.y(e.high), colour)
	fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="4.5" fill="%s"/>`, x, y, colour)
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="end" fill="%s">%s ×%.3g</text>`+"\n", x-8, y+4, colour, way, e.mid)
}

// figures writes the plot's numbers, for people who can't see it.
func (t *trial) figures(b *strings.Builder) {
	b.WriteString("<table><tr><th>condition<th>way<th>p99, ms<th>over alone<th>95 % interval<th>idle CPU\n")
	for _, c := range t.cases {
		for _, way := range t.f.ways {
			e := c.p99Over(way, stage.Alone)
			fmt.Fprintf(b, "<tr><td>%.0f %%, %s<td>%s<td>%.2f<td>×%.3g<td>%.3g–%.3g<td>%.0f %%\n", 100*c.load, html.EscapeString(c.kind), way,
				stat.Median(each(c.shots[way], func(s measurement) float64 { return s.p99 })), e.mid, e.low, e.high, 100*c.retained(way))
		}
	}
	b.WriteString("</table>\n")
}

func harvestX(share float64) float64 {
	return paretoLeft + paretoPlotW*min(max(share, 0), 1.15)/1.15 // unmanaged work steals more than what is idle
}

// scale is the tail's axis: the power of ten at which it ends.
type scale float64

// scale has room for all intervals, and is the same in all panels.
func (t *trial) scale() scale {
	most := 1.0
	for _, c := range t.cases {
		for _, way := range t.f.ways {
			most = max(most, c.p99Over(way, stage.Alone).high)
		}
	}
	return scale(math.Pow(10, min(max(math.Ceil(math.Log10(most)), 1), 4)))
}

func (s scale) y(ratio float64) float64 {
	height := math.Log(max(ratio, 0.8)/0.8) / math.Log(float64(s)/0.8)
	return paretoTop + paretoPlotH*(1-min(max(height, 0), 1))
}
