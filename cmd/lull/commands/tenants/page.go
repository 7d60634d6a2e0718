package tenants

import (
	"fmt"
	"html"
	"strings"
	"time"

	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/profile"
)

// page returns what --html writes: for each tenant its usage over the last days, and how strong its
// rhythms are (Figure 1 of the paper shows both for one tenant of each pattern).
func page(lines []subjects.TenantLine, last *subjects.PoolClassified) string {
	var out strings.Builder
	out.WriteString(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>lull: tenants</title><style>
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:62rem;padding:0 1rem;color:#1c2833;background:#fff}
h1{font-size:1.4rem}h2{font-size:1.05rem;margin:1.8rem 0 .2rem}p{margin:.2rem 0;color:#566573}
svg{display:inline-block;margin:.4rem 1rem 0 0;vertical-align:top;max-width:100%}text{font:11px system-ui,sans-serif;fill:#566573}
@media(prefers-color-scheme:dark){body{background:#17202a;color:#eaecee}p,text{color:#aeb6bf;fill:#aeb6bf}}
</style><h1>Tenants</h1>`)
	if last == nil {
		out.WriteString("<p>Nothing is known yet.</p>")
	} else {
		fmt.Fprintf(&out, "<p>%s, classified %s.</p>", humane.Count(int(last.Tenants), "tenant"), time.Unix(0, last.At).UTC().Format("2 Jan 2006 15:04 UTC"))
		out.WriteString(`<p>Left: the CPU that a tenant used of its hosts' cores. The dark line is the mean of each slot of time,
the light area behind it the greatest sample. Right: how much of that repeats so many times a day. A tenant that works by day has a tall bar at 1.</p>`)
	}
	for i := range lines {
		section(&out, &lines[i])
	}
	return out.String()
}

func section(out *strings.Builder, line *subjects.TenantLine) {
	p := &line.Class.Profile
	fmt.Fprintf(out, "<h2>%s</h2>", html.EscapeString(line.Tenant))
	if len(p.Means) == 0 {
		fmt.Fprintf(out, "<p>Less than two days are known; %s.</p>", humane.Count(int(line.Hosts), "host"))
		return
	}
	fmt.Fprintf(out, "<p>%s", p.Pattern)
	if line.Class.Class != "" {
		fmt.Fprintf(out, ", class %s", html.EscapeString(line.Class.Class))
	}
	fmt.Fprintf(out, "; average %.0f %%, peak %.0f %%; %s</p>", 100*p.Average, 100*p.Peak, humane.Count(int(line.Hosts), "host"))
	days := means(p)
	plot(out, days, p)
	rhythms(out, days, p.PerDay)
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
