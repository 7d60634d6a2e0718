package trace

import (
	"bytes"
	"math"
	"testing"

	"lull/sim"
)

// FuzzHosts: whatever the bytes, no panic, and a pool that a simulator can
// run.
func FuzzHosts(f *testing.F) {
	f.Add([]byte(wideUsage), true)
	f.Add([]byte("series_id,t_seconds,cpu_pct,cores\na,0,1,2\na,300,101,2\nb,7,,\n"), false)
	f.Add([]byte("series_id,1e9,2e9\n\"a\"\"\",1,1\n"), true)
	f.Add([]byte("\x1f\x8b\x08"), true)
	f.Fuzz(func(t *testing.T, text []byte, skip bool) {
		p, err := Hosts(bytes.NewReader(text), "f", HostOptions{SkipBad: skip})
		if err != nil {
			return
		}
		names := map[string]bool{}
		for _, h := range p.Hosts {
			load := h.Load.(sim.Series)
			if names[h.Name] || h.Cores == 0 || load.Every <= 0 || len(load.Cores) == 0 {
				t.Fatalf("host = %+v, want a name of its own, cores and a load", h)
			}
			names[h.Name] = true
			for _, v := range load.Cores {
				if math.IsNaN(v) || v < 0 || v > float64(h.Cores) {
					t.Fatalf("load of %s = %v cores, want 0 to %d", h.Name, v, h.Cores)
				}
			}
		}
	})
}

// FuzzJobs: whatever the bytes, no panic, and jobs that the log would take.
func FuzzJobs(f *testing.F) {
	f.Add([]byte("submit_s,tasks,task_seconds,name,deadline_s\n1,2,3,<script>,4\n0,1,1,,\n"), true)
	f.Add([]byte(swimHeader+"\njob0,1,1,1e12,1e11,1e10\njob1,0,0,0,0,0\n"), false)
	f.Fuzz(func(t *testing.T, text []byte, skip bool) {
		l, err := Jobs(bytes.NewReader(text), "f", JobOptions{SkipBad: skip})
		if err != nil {
			return
		}
		for i, j := range l.Jobs {
			if err := j.Spec.Validate(); err != nil || j.At < 0 || i > 0 && j.At < l.Jobs[i-1].At {
				t.Fatalf("job = %+v, Validate() = %v, want a valid job, no earlier than the one before it", j, err)
			}
		}
		for _, truth := range l.Types {
			if s := truth.Points[0].Seconds; !(s > 0) || math.IsInf(s, 0) {
				t.Fatalf("truth = %+v, want positive finite seconds", truth)
			}
		}
	})
}
