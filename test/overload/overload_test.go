package main

import (
	"testing"
	"time"
)

func TestPromisesHoldUnderOverload(t *testing.T) {
	o := options{loads: []float64{0.8, 1.2, 2}, policies: []string{"mp+"}, seeds: 3, span: 4 * time.Hour}
	r, err := o.report(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range r.Checks {
		if !check.Holds {
			t.Error(check.String())
		}
	}
	if t.Failed() {
		_ = r.Write(t.Output(), "table")
	}
}
