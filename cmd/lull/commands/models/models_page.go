package models

import (
	"fmt"
	"strings"

	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/tct"
)

// modelPage is one model in words and as a plot.
func modelPage(f *subjects.Fitted) string {
	var b strings.Builder
	r := modelRowOf(f)
	fmt.Fprintf(&b, "Model %s, from %s\n\n", f.Type, humane.Count(int(f.Samples), "finished task"))
	if f.Drift {
		fmt.Fprintf(&b, "%s\n\n", drifting(r.Idle))
	}
	quality := [][2]string{
		{"error", fmt.Sprintf("%s of the range of times (NRMSE)", humane.Percent(f.NRMSE))},
		{"predictions", fmt.Sprintf("%s too long, by %s on average; %s too short, by %s", humane.Percent(f.Over), humane.Percent(f.OverBy), humane.Percent(f.Under), humane.Percent(f.UnderBy))},
		{"spread", spread(f)},
	}
	if f.Few() {
		quality = [][2]string{{"error", fmt.Sprintf("unknown before %d tasks have finished", subjects.FewSamples)}}
	}
	facts := append([][2]string{
		{"a task takes", fmt.Sprintf("%s on an idle core, %s on half a core, %s on a tenth", humane.Seconds(r.Idle), humane.Seconds(r.Half), humane.Seconds(tct.Of(f).Seconds(0.1)))},
		{"seconds", formula(f)},
		{"seen at", fmt.Sprintf("residuals from %.2f to %.2f; the rest of the curve is a guess on the safe side", f.Low, f.High)},
		{"input", inputs(f)},
		{"reads", amount(f.Read90, "/s on an idle core (ninetieth percentile)")},
		{"gives", gives(f)},
		{"fetches", amount(f.Fetch, "/s from other hosts (tasks of all models)")},
	}, quality...)
	for _, fact := range facts {
		fmt.Fprintf(&b, "  %-12s  %s\n", fact[0], fact[1])
	}
	b.WriteString("\n" + plot(tct.Of(f), f.Low, f.High))
	return b.String()
}

func formula(f *subjects.Fitted) string {
	switch {
	case f.Drift:
		return fmt.Sprintf("%.4g / r, at residual r", f.A)
	case f.High-f.Low < tct.MinSpread:
		return fmt.Sprintf("%.4g at r = %.2f, the only residual seen; in proportion to 1/r elsewhere", tct.TCT(f, (f.Low+f.High)/2), (f.Low+f.High)/2)
	case f.C == 0:
		return fmt.Sprintf("%.4g·e^(%.3g·r), at residual r", f.A, f.B)
	}
	return fmt.Sprintf("%.4g·e^(%.3g·r) + %.4g·e^(%.3g·r), at residual r", f.A, f.B, f.C, f.D)
}

func inputs(f *subjects.Fitted) string {
	switch {
	case f.Size <= 0:
		return "unknown: all tasks are taken to be alike"
	case f.Least <= 0 || f.Most < f.Least*1.01:
		return fmt.Sprintf("%s a task; the time of others grows in proportion", amount(f.Size, ""))
	}
	return fmt.Sprintf("%s a task (%s to %s); %s of its time is fixed, the rest grows with it",
		amount(f.Size, ""), amount(f.Least, ""), amount(f.Most, ""), humane.Percent(f.Fixed))
}

// gives says what the readers of the tasks' output get.
func gives(f *subjects.Fitted) string {
	switch {
	case f.Yield <= 0:
		return "-"
	case f.Gives < 0.001: // a count or a sum, whose size does not follow from the input's
		return amount(f.Yield, " a task")
	}
	return fmt.Sprintf("%.3g bytes for each byte that it reads, %s", f.Gives, amount(f.Yield, " a task"))
}

func spread(f *subjects.Fitted) string {
	if f.Slow <= 0 {
		return "unknown"
	}
	return fmt.Sprintf("eight tasks in ten take %.2f to %.2f of the time predicted", f.Fast, f.Slow)
}
