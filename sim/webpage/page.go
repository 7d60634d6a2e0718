package webpage

import (
	_ "embed"
	"html"
	"html/template"
	"io"
	"time"
)

// colors is how many policies have a colour of their own.
const colors = 6

//go:embed page.html
var source string

var document = template.Must(template.New("page").Parse(source))

// Write writes the page.
func Write(w io.Writer, r Report) error {
	return document.Execute(w, view{Report: r, Span: r.span()})
}

func escape(s string) string { return html.EscapeString(s) }

// span is the longest of the policies' runs: all plots share its axis.
func (r *Report) span() (longest time.Duration) {
	for i := range r.Policies {
		longest = max(longest, r.Policies[i].Span)
	}
	return longest
}

// view is what the template sees. Its plots are markup that canvas made.
type view struct {
	Report
	Span time.Duration
}

// Bars, Allowance and Waiting are the plots of all policies.
func (v view) Bars() template.HTML      { return template.HTML(bars(v.Policies)) }
func (v view) Allowance() template.HTML { return template.HTML(allowance(v.Policies)) }
func (v view) Waiting() template.HTML   { return template.HTML(waiting(v.Policies)) }

// Area and Heat are plots of one policy.
func (v view) Area(i int) template.HTML {
	return template.HTML(area(&v.Policies[i], v.Span, v.Cores))
}

func (v view) Heat(i int) template.HTML {
	p := &v.Policies[i]
	return template.HTML(heat("harvested under "+p.Name, p.Hosts, p.Span, v.Span))
}

// Idle is the heat of the primaries alone.
func (v view) Idle() template.HTML {
	return template.HTML(heat("the primary uses", v.Primary, v.PrimarySpan, v.Span))
}

// Color is the number of a policy's colour.
func (v view) Color(i int) int { return i % colors }

// Shades are the styles of heat strips.
func (v view) Shades() template.CSS { return template.CSS(shadeRules()) }

// Timed says whether any job has a deadline.
func (v view) Timed() bool {
	for i := range v.Policies {
		if len(v.Policies[i].Used) > 0 {
			return true
		}
	}
	return false
}

// Best says whether a cell is the best of its column.
func (v view) Best(r Row, i int) bool { return i < len(r.Best) && r.Best[i] }
