package webpage

import (
	"fmt"
	"math"
	"strings"
)

// allowance plots the distribution of jobs by the time that they took, as a share
// of the time from their submission to their deadline.
func allowance(policies []Policy) string {
	f := newFrame("jobs by the share of their time that they took", 0, 2, 1)
	var xs []tick
	for i := range 9 {
		xs = append(xs, tick{float64(i) / 4, fmt.Sprintf("%d %%", 25*i)})
	}
	f.axes(xs, shares)
	f.line(f.x(1), f.top, f.x(1), f.bottom, "deadline")
	f.text(f.x(1)+5, f.bottom-8, "start", "tick", "deadline")
	for i := range policies {
		f.cdf(i, policies[i].Name, policies[i].Used, func(v float64) string { return fmt.Sprintf("%.0f %% of its time", 100*v) })
	}
	return f.end()
}

// waiting plots the distribution of jobs by the time from submission to their first task.
func waiting(policies []Policy) string {
	least, most := 0.001, 10.0
	for i := range policies {
		if w := policies[i].Waits; len(w) > 0 {
			most = max(most, w[len(w)-1])
		}
	}
	f := newFrame("jobs by the time to their first task", least, math.Pow(10, math.Ceil(math.Log10(most))), 1)
	f.log = true
	f.axes(decades(f.x0, f.x1), shares)
	for i := range policies {
		f.cdf(i, policies[i].Name, policies[i].Waits, func(v float64) string { return fmt.Sprintf("%.3g s", v) })
	}
	return f.end()
}

var shares = []tick{{0, "0"}, {0.25, "25 %"}, {0.5, "50 %"}, {0.75, "75 %"}, {1, "100 %"}}

// marks is how many points of a curve show their values when the pointer is over them.
const marks = 100

// cdf draws the cumulative distribution of the values, which must be in rising order, as curve i. say
// puts a value into words.
func (f *frame) cdf(i int, name string, values []float64, say func(float64) string) {
	if len(values) == 0 {
		return
	}
	n := min(len(values), 2*marks)
	var d strings.Builder
	fmt.Fprintf(&d, "M%s %s", num(f.left), num(f.bottom))
	for k := 1; k <= n; k++ {
		v := values[k*len(values)/n-1]
		if math.IsNaN(v) {
			continue
		}
		if v > f.x1 {
			break // the curve ends below 100 % if some values lie beyond the edge
		}
		fmt.Fprintf(&d, "H%sV%s", num(f.x(max(v, f.x0))), num(f.y(float64(k)/float64(n))))
	}
	if values[len(values)-1] > f.x1 {
		fmt.Fprintf(&d, "H%s", num(f.right))
	}
	f.path(fmt.Sprintf("curve p%d", i%colors), d.String())
	f.points(i, name, values, say)
}

// points puts invisible dots along a curve. A dot under the pointer shows its value.
func (f *frame) points(i int, name string, values []float64, say func(float64) string) {
	n := min(len(values), marks)
	for k := 1; k <= n; k++ {
		v := values[k*len(values)/n-1]
		f.printf(`<circle cx="%s" cy="%s" r="5" class="hover p%d"><title>`, num(f.x(max(v, f.x0))), num(f.y(float64(k)/float64(n))), i%colors)
		f.printf("%s</title></circle>", escape(fmt.Sprintf("%s: %.0f %% of jobs within %s", name, 100*float64(k)/float64(n), say(v))))
	}
}
