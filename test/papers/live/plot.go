package live

import (
	"fmt"
	"math"
	"os"
	"strings"

	"lull/hostctl/pace"
	"lull/hostctl/pacing"
	"lull/test/report"
)

// panel is the trace of one application.
type panel struct {
	name  string
	trace []pacing.Moment
}

// Sizes of a panel, in units of the SVG.
const (
	panelW, panelH      = 760.0, 190.0
	plotX, plotY        = 52.0, 34.0
	plotW, plotH        = 640.0, 120.0
	headH, figureMargin = 40.0, 12.0
)

// drawPanels writes the figure to a file, one self-contained SVG; no file, no
// figure.
func drawPanels(path, title string, panels []panel, r *report.Report) error {
	if path == "" {
		r.Notes = append(r.Notes, "(--plot FILE.svg draws the traces)")
		return nil
	}
	var b strings.Builder
	w, h := panelW+2*figureMargin, headH+float64(len(panels))*panelH+figureMargin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="system-ui, sans-serif" font-size="11" fill="#333">`+"\n", w, h, w, h)
	b.WriteString(`<rect width="100%" height="100%" fill="#fff"/>` + "\n")
	fmt.Fprintf(&b, `<text x="%.0f" y="20" font-size="15" font-weight="600">%s</text>`+"\n", figureMargin, title)
	fmt.Fprintf(&b, `<text x="%.0f" y="36" fill="#666">MB/s over seconds: <tspan fill="#2b6cb0">throughput</tspan>, reference (dashed); right axis: <tspan fill="#c05621">cap in cores</tspan></text>`+"\n", figureMargin)
	for i, p := range panels {
		fmt.Fprintf(&b, `<g transform="translate(%.0f %.0f)">`+"\n", figureMargin, headH+float64(i)*panelH)
		p.draw(&b)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

func (p panel) draw(b *strings.Builder) {
	top, cores := 1.0, 1.0 // bytes/s, cores
	for _, m := range p.trace {
		if !math.IsNaN(m.Rate) {
			top = max(top, m.Rate)
		}
		top, cores = max(top, m.Reference), max(cores, m.Cap)
	}
	top *= 1.05
	fmt.Fprintf(b, `<text x="%.0f" y="24" font-weight="600">%s</text>`+"\n", plotX, p.name)
	p.axes(b, top, cores)
	p.line(b, `stroke="#c05621" stroke-opacity="0.6"`, func(m pacing.Moment) float64 { return m.Cap / cores })
	p.line(b, `stroke="#222" stroke-dasharray="5 3"`, func(m pacing.Moment) float64 { return m.Reference / top })
	p.line(b, `stroke="#2b6cb0" stroke-width="1.5"`, func(m pacing.Moment) float64 { return m.Rate / top })
}

func (p panel) axes(b *strings.Builder, top, cores float64) {
	b.WriteString(`<g stroke="#e2e2e2" fill="#666" font-size="10">` + "\n")
	for step := range 5 {
		part := float64(step) / 4
		y := plotY + plotH*(1-part)
		fmt.Fprintf(b, `<line x1="%.0f" x2="%.0f" y1="%.1f" y2="%.1f"/>`, plotX, plotX+plotW, y, y)
		fmt.Fprintf(b, `<text stroke="none" x="%.0f" y="%.1f" text-anchor="end">%.3g</text>`, plotX-6, y+3.5, part*top/1e6)
		fmt.Fprintf(b, `<text stroke="none" x="%.0f" y="%.1f">%.2g</text>`+"\n", plotX+plotW+6, y+3.5, part*cores)
	}
	seconds := float64(max(len(p.trace), 1)) * pace.Sample.Seconds()
	for at := 0.0; at <= seconds; at += 5 {
		x := plotX + plotW*at/seconds
		fmt.Fprintf(b, `<text stroke="none" x="%.1f" y="%.1f" text-anchor="middle">%.0f</text>`+"\n", x, plotY+plotH+14, at)
	}
	b.WriteString("</g>\n")
}

// line draws heights from 0 to 1; a sample that says nothing leaves none.
func (p panel) line(b *strings.Builder, style string, height func(pacing.Moment) float64) {
	fmt.Fprintf(b, `<polyline fill="none" %s points="`, style)
	for k, m := range p.trace {
		if y := height(m); !math.IsNaN(y) {
			fmt.Fprintf(b, "%.1f,%.1f ", plotX+plotW*float64(k)/float64(max(len(p.trace)-1, 1)), plotY+plotH*(1-min(max(y, 0), 1)))
		}
	}
	b.WriteString(`"/>` + "\n")
}
