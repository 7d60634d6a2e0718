package tenants

import (
	"fmt"
	"html"
	"math"
	"strings"
	"time"

	"lull/subjects"
	"lull/subjects/profile"
)

// page returns what --html writes: for each tenant its usage over a week, and how strong its
// rhythms are (Figure 1 of the paper shows both for one tenant of each pattern).
func page(lines []subjects.TenantLine, last *subjects.PoolClassified) string {
	var out strings.Builder
	out.WriteString(`<!doctype html><html lang="en"><meta charset="utf-8"><title>lull: tenants</title><style>
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1c2833;background:#fff}
h1{font-size:1.4rem}h2{font-size:1.05rem;margin:1.8rem 0 .2rem}p{margin:.2rem 0;color:#566573}
svg{display:inline-block;margin-right:1rem;vertical-align:top}text{font:11px system-ui,sans-serif;fill:#566573}
@media(prefers-color-scheme:dark){body{background:#17202a;color:#eaecee}p,text{color:#aeb6bf;fill:#aeb6bf}}
</style><h1>Tenants</h1>`)
	if last == nil {
		out.WriteString("<p>Nothing is known yet.</p>")
	} else {
		fmt.Fprintf(&out, "<p>%d tenants, classified %s</p>", last.Tenants, time.Unix(0, last.At).UTC().Format("2 Jan 2006 15:04 UTC"))
	}
	for i := range lines {
		section(&out, &lines[i])
	}
	return out.String()
}

func section(out *strings.Builder, line *subjects.TenantLine) {
	p := &line.Said.Profile
	fmt.Fprintf(out, "<h2>%s</h2><p>%s", html.EscapeString(line.Tenant), p.Pattern)
	if line.Said.Class != "" {
		fmt.Fprintf(out, ", class %s", html.EscapeString(line.Said.Class))
	}
	fmt.Fprintf(out, "; average %.0f %%, peak %.0f %%, %d hosts</p>", 100*p.Average, 100*p.Peak, line.Hosts)
	if len(p.Means) == 0 {
		out.WriteString("<p>Less than two days are known.</p>")
		return
	}
	days := means(p)
	plot(out, days, p, 560, 130)
	rhythms(out, days, p.PerDay, 300, 130)
}

// means is the mean usage of the last days' slots, NaN for gaps.
func means(p *profile.Profile) []float64 {
	out := make([]float64, len(p.Maxima))
	for i := range out {
		root := p.MeanRoot(i)
		out[i] = root * root
	}
	return out
}

// plot draws usage over time: the mean as a line, the greatest usage as a band behind it.
func plot(out *strings.Builder, days []float64, p *profile.Profile, w, h float64) {
	x := func(i int) float64 { return 30 + (w-40)*float64(i)/float64(len(days)) }
	y := func(v float64) float64 { return 10 + (h-30)*(1-v) }
	fmt.Fprintf(out, `<svg width="%g" height="%g" role="img" aria-label="usage of the last days">`, w, h)
	var band, mean strings.Builder
	for i, v := range days {
		fmt.Fprintf(&band, "M%.1f %.1fV%.1f", x(i), y(0), y(profile.Unpack(p.Maxima[i])))
		if !math.IsNaN(v) {
			fmt.Fprintf(&mean, "%s%.1f %.1f", map[bool]string{true: "M", false: "L"}[i == 0 || math.IsNaN(days[i-1])], x(i), y(v))
		}
	}
	fmt.Fprintf(out, `<path d="%s" stroke="#85c1e9" stroke-opacity=".5" fill="none"/><path d="%s" stroke="#1b6ca8" stroke-width="1.5" fill="none"/>`, &band, &mean)
	axes(out, "100 %", "0", fmt.Sprintf("last %d days, by the time of samples", len(days)/p.PerDay), w, h)
}

// rhythms draws the amplitude of each frequency, in cycles a day.
func rhythms(out *strings.Builder, days []float64, perDay int, w, h float64) {
	const most = 6 // cycles a day that are drawn
	count := len(days) / perDay
	amplitudes := spectrumOf(days, most*count)
	greatest := 1e-3
	for _, a := range amplitudes {
		greatest = max(greatest, a)
	}
	fmt.Fprintf(out, `<svg width="%g" height="%g" role="img" aria-label="strength of each frequency"><path d="`, w, h)
	for k, a := range amplitudes {
		x := 30 + (w-40)*float64(k+1)/float64(len(amplitudes))
		fmt.Fprintf(out, "M%.1f %.1fV%.1f", x, h-20, h-20-(h-30)*a/greatest)
	}
	out.WriteString(`" stroke="#b9770e" stroke-width="1.5" fill="none"/>`)
	axes(out, fmt.Sprintf("%.0f %%", 100*greatest), "0", fmt.Sprintf("cycles a day, 0 to %d", most), w, h)
}

func axes(out *strings.Builder, top, bottom, below string, w, h float64) {
	fmt.Fprintf(out, `<path d="M30 10V%g H%g" stroke="#aeb6bf" fill="none"/><text x="0" y="16">%s</text><text x="14" y="%g">%s</text><text x="30" y="%g">%s</text></svg>`,
		h-20, w-10, top, h-20, bottom, h-5, html.EscapeString(below))
}

// spectrumOf is the amplitude of the first n frequencies over the whole time, gaps left out.
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
