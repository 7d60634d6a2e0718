package tenants

import (
	"math"
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/profile"
)

// A prediction parts from what was seen where the difference is more than chance and the slack
// explain.
func TestWhenPredictedAndSeenSurvivalPart(t *testing.T) {
	for text, r := range map[string]tenantRow{
		"-":            {},
		"70% of 90%":   {Tasks: 20, Predicted: 0.9, Stayed: 0.7}, // too few
		"85% of 90%":   {Tasks: 500, Predicted: 0.9, Stayed: 0.85},
		"70% of 90% !": {Tasks: 100, Predicted: 0.9, Stayed: 0.7},
		"99% of 80% !": {Tasks: 100, Predicted: 0.8, Stayed: 0.99},
	} {
		if got := r.stays(); got != text {
			t.Errorf("stays() of %+v = %q, want %q", r, got, text)
		}
	}
}

// Both axes of each plot are named, with the days of the samples and the cycles a day.
func TestThePageNamesItsAxes(t *testing.T) {
	until := time.Date(2026, 3, 16, 0, 0, 0, 0, time.UTC)
	shares := make([]float64, 14*24)
	for i := range shares {
		shares[i] = 0.5 - 0.3*math.Cos(2*math.Pi*float64(i)/24)
	}
	known := profile.Profile{Pattern: profile.Periodic, Until: until.Unix(), PerDay: 24, Maxima: make([]byte, len(shares)), Means: profile.PackMeans(shares)}
	line := func(name string, p profile.Profile) subjects.TenantLine {
		return subjects.TenantLine{Tenant: name, Hosts: 1, Class: &subjects.Classified{Tenant: name, Profile: p}}
	}
	text := page([]subjects.TenantLine{line("shop <b>", known), line("new", profile.Profile{})}, &subjects.PoolClassified{Tenants: 2})
	for _, want := range []string{
		"2 tenants, classified", "shop &lt;b&gt;", "1 host</p>", "Less than two days are known",
		">CPU used, % of the hosts&#39; cores<", ">100 %<", ">day (UTC)<", ">2 Mar<", ">16 Mar<",
		">amplitude, % of the hosts&#39; cores<", ">30 %<", ">cycles a day<", ">6</text>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("page lacks %q, want it there", want)
		}
	}
	if n := strings.Count(text, "<svg"); n != 2 || strings.Contains(text, "NaN") {
		t.Errorf("plots = %d, want 2, without NaN", n)
	}
}
