package forecast_test

import (
	"fmt"
	"time"

	"lull/client/forecast"
	"lull/subjects"
)

func ExampleOf() {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	page := forecast.Of(&subjects.Forecast{
		Verdict: "rejected", Code: subjects.ReasonOthers, Mode: "affected",
		Text:       "it would make job night-ab miss its deadline",
		Stages:     []subjects.Assumption{{Stage: "reduce", Tasks: 8, FetchBytes: 1_200_000_000, FetchSeconds: 8, FetchFrom: "stage map"}},
		PushedJobs: 1, Pushed: []subjects.Push{{Job: "night-ab", By: 70, Slack: -40}},
	}, now)
	fmt.Println(page.Verdict)
	for _, line := range page.Times {
		fmt.Println(line.Label+":", line.Text)
	}
	fmt.Println(page.Pushed+":", page.Pushes[0].Job, "by", page.Pushes[0].Later)
	// Output:
	// Would be rejected (others): it would make job night-ab miss its deadline.
	// Margin: none
	// Checked: its own deadline and those of all jobs that it would delay
	// Fetching: stage reduce fetches 1.2 GB from stage map: about 8 s
	// It would delay 1 job: night-ab by 1m 10s
}
