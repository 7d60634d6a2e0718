package tenants

import "testing"

// A prediction parts from what was seen where the difference is more than chance and the slack
// explain.
func TestWhenPredictedAndSeenSurvivalPart(t *testing.T) {
	for text, r := range map[string]tenantRow{
		"-":            {},
		"70% of 90%":   {Tasks: 20, Told: 0.9, Stayed: 0.7}, // too few
		"85% of 90%":   {Tasks: 500, Told: 0.9, Stayed: 0.85},
		"70% of 90% !": {Tasks: 100, Told: 0.9, Stayed: 0.7},
		"99% of 80% !": {Tasks: 100, Told: 0.8, Stayed: 0.99},
	} {
		if got := r.stays(); got != text {
			t.Errorf("%+v:%q, want%q", r, got, text)
		}
	}
}
