package tct

import (
	"fmt"
	"strings"
)

// Sizes of the SVG figure, in its units: four columns of panels.
const (
	columns        = 4
	panelW         = 230.0
	panelH         = 190.0
	left, above    = 44.0, 30.0 // of a panel's plot within it
	plotW, plotH   = 172.0, 122.0
	headH, marginW = 58.0, 12.0
)

// figureSVG is Figure 6 as one self-contained picture, a panel a type.
func figureSVG(curves []learnt) string {
	var b strings.Builder
	top := topOf(curves)
	rows := (len(curves) + columns - 1) / columns
	w, h := columns*panelW+2*marginW, headH+float64(rows)*panelH+marginW
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="system-ui, sans-serif" font-size="11" fill="#333">`+"\n", w, h, w, h)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#fff"/>`+"\n")
	fmt.Fprintf(&b, `<text x="%.0f" y="24" font-size="15" font-weight="600">Task completion time over that on an idle core</text>`+"\n", marginW)
	fmt.Fprintf(&b, `<text x="%.0f" y="42" fill="#666">by the primary’s CPU utilisation when the task was assigned (logarithmic; points: tasks; lines: fitted models)</text>`+"\n", marginW)
	for i := range curves {
		x, y := marginW+float64(i%columns)*panelW, headH+float64(i/columns)*panelH
		fmt.Fprintf(&b, `<g transform="translate(%.0f %.0f)">`+"\n", x, y)
		curves[i].draw(&b, top)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (l *learnt) draw(b *strings.Builder, top float64) {
	axes(b, top)
	fmt.Fprintf(b, `<text x="%.0f" y="10" font-weight="600">%s</text>`+"\n", left, l.name)
	if l.curve == nil {
		fmt.Fprintf(b, `<text x="%.0f" y="%.0f" fill="#999">too few samples</text>`+"\n", left+8, above+20)
		return
	}
	fmt.Fprintf(b, `<text x="%.0f" y="23" fill="#666" font-size="10">NRMSE %.1f %%, %d tasks</text>`+"\n",
		left, 100*l.outside.nrmse, len(l.samples))
	norm := l.norm()
	b.WriteString(`<g fill="#2b6cb0" fill-opacity="0.45">` + "\n")
	for _, s := range l.samples {
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="2.4"/>`+"\n", across(1-s.Known), down(s.Seconds/norm, top))
	}
	b.WriteString("</g>\n" + `<polyline fill="none" stroke="#c05621" stroke-width="2" points="`)
	for step := range 96 {
		u := float64(step) / 100
		fmt.Fprintf(b, "%.1f,%.1f ", across(u), down(l.curve.Seconds(1-u)/norm, top))
	}
	b.WriteString(`"/>` + "\n")
}

// axes draws the grid with its labels.
func axes(b *strings.Builder, top float64) {
	b.WriteString(`<g stroke="#e2e2e2" fill="#666" font-size="10">` + "\n")
	for _, u := range []float64{0, 0.25, 0.5, 0.75, 1} {
		x := across(u)
		fmt.Fprintf(b, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, x, x, above, above+plotH)
		fmt.Fprintf(b, `<text stroke="none" x="%.1f" y="%.1f" text-anchor="middle">%.0f %%</text>`+"\n", x, above+plotH+14, 100*u)
	}
	for _, v := range []float64{1, 2, 5, 10, 20, 50, 100} {
		if v > top {
			break
		}
		y := down(v, top)
		fmt.Fprintf(b, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, left, left+plotW, y, y)
		fmt.Fprintf(b, `<text stroke="none" x="%.1f" y="%.1f" text-anchor="end">%.0f×</text>`+"\n", left-5, y+3.5, v)
	}
	b.WriteString("</g>\n")
}

func across(u float64) float64        { return left + plotW*min(max(u, 0), 1) }
func down(value, top float64) float64 { return above + plotH*(1-height(value, top)) }
