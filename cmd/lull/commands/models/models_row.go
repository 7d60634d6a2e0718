package models

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/cli"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// modelRow is a model in models --output json.
type modelRow struct {
	Type    string  `json:"type"`
	A       float64 `json:"a"`
	B       float64 `json:"b"`
	C       float64 `json:"c"`
	D       float64 `json:"d"`
	Idle    float64 `json:"idle_seconds"`
	Half    float64 `json:"half_seconds"`
	NRMSE   float64 `json:"nrmse"`
	Over    float64 `json:"over"`
	Under   float64 `json:"under"`
	OverBy  float64 `json:"over_by"`
	UnderBy float64 `json:"under_by"`
	Fast    float64 `json:"fast"`
	Slow    float64 `json:"slow"`
	Samples uint32  `json:"samples"`
	Size    float64 `json:"size"`
	Least   float64 `json:"size_least"`
	Most    float64 `json:"size_most"`
	Fixed   float64 `json:"fixed"`
	Read90  float64 `json:"read90"`
	Gives   float64 `json:"gives"`
	Yield   float64 `json:"yield"`
	Fetch   float64 `json:"fetch"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Drift   bool    `json:"drift"`
}

func modelRowOf(f *subjects.Fitted) modelRow {
	curve := tct.Of(f)
	return modelRow{
		Type: f.Type, A: f.A, B: f.B, C: f.C, D: f.D, Idle: curve.Seconds(1), Half: curve.Seconds(0.5),
		NRMSE: f.NRMSE, Over: f.Over, Under: f.Under, OverBy: f.OverBy, UnderBy: f.UnderBy, Fast: f.Fast, Slow: f.Slow,
		Samples: f.Samples, Size: f.Size, Least: f.Least, Most: f.Most, Fixed: f.Fixed, Read90: f.Read90,
		Gives: f.Gives, Yield: f.Yield, Fetch: f.Fetch,
		Low: f.Low, High: f.High, Drift: f.Drift,
	}
}

// cells take 100 columns, with a name of 15.
func (r modelRow) cells() []string {
	err, long, short := humane.Percent(r.NRMSE), byHowMuch(r.Over, r.OverBy), byHowMuch(r.Under, r.UnderBy)
	switch {
	case r.Drift:
		err = "DRIFT"
	case r.Samples < subjects.FewSamples:
		err, long, short = "-", "-", "-" // its samples are what it was made of
	}
	return []string{
		r.Type, humane.Seconds(r.Idle), humane.Seconds(r.Half), err, long, short, fmt.Sprint(r.Samples),
		amount(r.Size, ""), amount(r.Read90, "/s"), fmt.Sprintf("%.2f–%.2f", r.Low, r.High),
	}
}

func byHowMuch(share, by float64) string { return humane.Percent(share) + " by " + humane.Percent(by) }

// amount is a number of bytes, "-" for none.
func amount(bytes float64, per string) string {
	if bytes <= 0 {
		return "-"
	}
	return humane.Bytes(int64(min(bytes, 1<<62))) + per
}

// warn lists the models with an alarm.
func warn(w io.Writer, rows []modelRow) error {
	for _, r := range rows {
		if !r.Drift {
			continue
		}
		if _, err := fmt.Fprintf(w, "\n%s: %s\n", r.Type, drifting(r.Idle)); err != nil {
			return err
		}
	}
	return nil
}

func drifting(idle float64) string {
	return fmt.Sprintf("DRIFT: how long these tasks take varies too much to predict. Until that changes, each counts\nas %s on an idle core, which nine in ten of them kept, and in proportion longer on less.",
		humane.Seconds(idle))
}

// completeModels completes the names of models.
func completeModels(to *cli.Connection) cli.Completion {
	return to.Complete(cli.Viewed(func(s *ledger.State) []cobra.Completion {
		var names []cobra.Completion
		for f := range s.Models() {
			names = append(names, cobra.CompletionWithDesc(f.Type, humane.Count(int(f.Samples), "sample")))
		}
		return names
	}))
}
