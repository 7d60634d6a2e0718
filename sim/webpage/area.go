package webpage

import (
	"fmt"
	"strings"
	"time"
)

// area plots the cores that primaries and batch work use, one upon the other.
func area(p *Policy, span time.Duration, cores float64) string {
	f := newFrame("CPU in use under "+p.Name, 0, span.Seconds(), cores)
	n := min(len(p.Primary), len(p.Harvested))
	edge := func(i int) float64 { return f.x(p.Span.Seconds() * float64(i) / float64(max(n, 1))) }
	sum := make([]float64, n)
	for i := range n {
		sum[i] = p.Primary[i] + p.Harvested[i]
	}
	f.path("harvested", f.steps(sum, edge))
	f.path("primary", f.steps(p.Primary[:n], edge))
	f.axes(clock(span, 8), even(cores))
	for i := range n {
		at := time.Duration(float64(p.Span) * float64(i) / float64(n))
		f.rect(edge(i), f.top, edge(i+1)-edge(i), f.bottom-f.top, "hover",
			fmt.Sprintf("%s, after %s\nprimary %.1f cores\nharvested %.1f cores\nidle %.1f cores", p.Name, brief(at), p.Primary[i], p.Harvested[i], max(cores-sum[i], 0)))
	}
	return f.end()
}

// steps is the outline of a step function down to the axis.
func (f *frame) steps(values []float64, edge func(int) float64) string {
	var d strings.Builder
	fmt.Fprintf(&d, "M%s %s", num(f.left), num(f.bottom))
	for i, v := range values {
		fmt.Fprintf(&d, "V%sH%s", num(f.y(v)), num(edge(i+1)))
	}
	fmt.Fprintf(&d, "V%sZ", num(f.bottom))
	return d.String()
}
