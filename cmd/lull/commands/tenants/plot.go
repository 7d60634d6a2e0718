package tenants

import (
	"fmt"
	"html"
	"math"
	"strings"
	"time"

	"lull/subjects/profile"
)

// frame is a plot: its size, and the names of its axes. All lengths are in pixels.
type frame struct {
	w, h         float64
	left, below  string // the axes' names
	top          string // the label at the upper end of the vertical axis
	marginBottom float64
}

// Margins around the area of a plot. The labels of the vertical axis are in the left one, its name is in
// the top one.
const (
	marginLeft  = 44.
	marginTop   = 22.
	marginRight = 24.
)

// x and y return the position of a point that lies at a share (0 to 1) of the length of the horizontal or
// the vertical axis.
func (f *frame) x(share float64) float64 { return marginLeft + (f.w-marginLeft-marginRight)*share }
func (f *frame) y(share float64) float64 {
	return marginTop + (f.h-marginTop-f.marginBottom)*(1-share)
}

// begin opens the picture and draws its axes.
func (f *frame) begin(out *strings.Builder, label string) {
	fmt.Fprintf(out, `<svg width="%g" height="%g" viewBox="0 0 %g %g" role="img" aria-label="%s">`, f.w, f.h, f.w, f.h, html.EscapeString(label))
	fmt.Fprintf(out, `<path d="M%g %gV%gH%g" stroke="#aeb6bf" fill="none"/>`, f.x(0), f.y(1), f.y(0), f.x(1))
	text(out, 0, 12, "start", f.left)
	text(out, marginLeft-5, f.y(1)+4, "end", f.top)
	text(out, marginLeft-5, f.y(0)+4, "end", "0")
	text(out, f.x(0.5), f.h-3, "middle", f.below)
}

// tick marks and labels a point of the horizontal axis, given as a share of its length.
func (f *frame) tick(out *strings.Builder, share float64, label string) {
	fmt.Fprintf(out, `<path d="M%.1f %gv4" stroke="#aeb6bf"/>`, f.x(share), f.y(0))
	text(out, f.x(share), f.y(0)+15, "middle", label)
}

func text(out *strings.Builder, x, y float64, anchor, of string) {
	fmt.Fprintf(out, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, x, y, anchor, html.EscapeString(of))
}

// plot draws usage over time: the mean as a line, the maximum as an area behind it.
func plot(out *strings.Builder, days []float64, p *profile.Profile) {
	f := frame{w: 580, h: 170, left: "CPU used, % of the hosts' cores", below: "day (UTC)", top: "100 %", marginBottom: 38}
	x := func(i int) float64 { return f.x(float64(i) / float64(len(days))) }
	count := len(days) / p.PerDay
	f.begin(out, fmt.Sprintf("usage of the last %d days", count))
	for day, first := 0, time.Unix(p.Until, 0).UTC().AddDate(0, 0, -count); day <= count; day += 2 {
		f.tick(out, float64(day)/float64(count), first.AddDate(0, 0, day).Format("2 Jan"))
	}
	var area, mean strings.Builder
	for i, v := range days {
		fmt.Fprintf(&area, "M%.1f %.1fV%.1f", x(i), f.y(0), f.y(profile.Unpack(p.Maxima[i])))
		if !math.IsNaN(v) {
			fmt.Fprintf(&mean, "%s%.1f %.1f", map[bool]string{true: "M", false: "L"}[i == 0 || math.IsNaN(days[i-1])], x(i), f.y(v))
		}
	}
	fmt.Fprintf(out, `<path d="%s" stroke="#85c1e9" stroke-opacity=".5" fill="none"/><path d="%s" stroke="#1b6ca8" stroke-width="1.5" fill="none"/></svg>`, &area, &mean)
}

// rhythms draws the amplitude of each frequency.
func rhythms(out *strings.Builder, days []float64, perDay int) {
	const most = 6 // cycles a day that are drawn
	amplitudes := spectrumOf(days, most*len(days)/perDay)
	greatest := 0.01
	for _, a := range amplitudes {
		greatest = max(greatest, a)
	}
	f := frame{
		w: 320, h: 170, left: "amplitude, % of the hosts' cores", below: "cycles a day",
		top: fmt.Sprintf("%.0f %%", 100*greatest), marginBottom: 38,
	}
	f.begin(out, "strength of each frequency")
	for cycles := range most + 1 {
		f.tick(out, float64(cycles)/most, fmt.Sprint(cycles))
	}
	out.WriteString(`<path d="`)
	for k, a := range amplitudes {
		fmt.Fprintf(out, "M%.1f %.1fV%.1f", f.x(float64(k+1)/float64(len(amplitudes))), f.y(0), f.y(a/greatest))
	}
	out.WriteString(`" stroke="#b9770e" stroke-width="1.5" fill="none"/></svg>`)
}

// spectrumOf returns the amplitudes of the first n frequencies: 1 to n cycles over all values. It leaves out
// missing values (NaN).
func spectrumOf(values []float64, n int) []float64 {
	mean, known := 0.0, 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			mean, known = mean+v, known+1
		}
	}
	out := make([]float64, n)
	if known == 0 {
		return out
	}
	mean /= known
	for k := range out {
		var re, im float64
		for i, v := range values {
			if !math.IsNaN(v) {
				sin, cos := math.Sincos(2 * math.Pi * float64((k+1)*i%len(values)) / float64(len(values)))
				re, im = re+(v-mean)*cos, im+(v-mean)*sin
			}
		}
		out[k] = 2 * math.Hypot(re, im) / known
	}
	return out
}
