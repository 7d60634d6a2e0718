package sim

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"
)

// pool makes hosts with primaries that change every interval.
func pool(n int, cores uint32, every time.Duration, seed uint64) []Host {
	rng := rand.New(rand.NewPCG(seed, 1))
	hosts := make([]Host, n)
	for i := range hosts {
		load := make([]float64, 97)
		for k := range load {
			load[k] = float64(cores) * 0.9 * rng.Float64()
		}
		hosts[i] = Host{Name: fmt.Sprintf("h%03d", i), Cores: cores, Load: Series{Every: every, Cores: load}}
	}
	return hosts
}

// stream of jobs: some wide, most of them narrow.
func jobs(n int, over time.Duration, tasks, deadline int, seed uint64) []Job {
	rng := rand.New(rand.NewPCG(seed, 2))
	list := make([]Job, n)
	for i := range list {
		list[i] = Job{At: over * time.Duration(i) / time.Duration(n), Spec: work([]string{"pi", "sort", "grep"}[i%3], 1+uint32(rng.IntN(2*tasks)))}
		if deadline > 0 {
			list[i].Spec.DeadlineIn = time.Duration(deadline+rng.IntN(deadline)) * time.Second
			list[i].Patience = 10 * time.Minute
		}
	}
	return list
}

var types = []Truth{
	{Type: "pi", Noise: 0.1, Points: []Point{{0.05, 400}, {0.5, 45}, {1, 20}}},
	{Type: "sort", Noise: 0.1, Points: []Point{{0.05, 60}, {0.5, 40}, {1, 30}}},
	{Type: "grep", Noise: 0.1, Points: []Point{{0.05, 300}, {0.5, 30}, {1, 15}}},
}

// caseStudy has the size of MIMP's: 20 hosts, 174 jobs in two and a half hours.
func caseStudy(seed uint64) Scenario {
	return Scenario{Seed: seed, Hosts: pool(20, 2, time.Minute, seed), Types: types, Jobs: jobs(174, 150*time.Minute, 40, 900, seed)}
}

// day has the size of SWIM's FB-2009 on 600 hosts.
func day(seed uint64) Scenario {
	return Scenario{
		Seed: seed, Hosts: pool(600, 2, 5*time.Minute, seed), Types: types,
		Jobs: jobs(6000, 24*time.Hour, 25, 3600, seed),
	}
}

// brisk is short tasks on many slots: hardly anything but the log.
func brisk(seed uint64) Scenario {
	s := Scenario{Seed: seed, Hosts: pool(50, 8, time.Minute, seed), Telemetry: 5 * time.Second, Types: []Truth{flat("pi", 0.5), flat("sort", 0.7), flat("grep", 0.3)}}
	s.Jobs = jobs(200, 2*time.Minute, 300, 0, seed)
	return s
}

func benchmark(b *testing.B, scenario func(uint64) Scenario) {
	events, steps, inputs, samples := 0, 0, 0, 0
	seed, before := uint64(0), processor()
	for b.Loop() {
		seed++
		w, err := newWorld(scenario(seed))
		if err == nil {
			err = w.run(b.Context())
		}
		if err != nil {
			b.Fatal(err)
		}
		r := w.result()
		events, steps, inputs, samples = events+w.delivered+r.Events, steps+r.Steps, inputs+w.inputs, samples+w.samplesSeen
		if seed == 1 {
			met := 0
			for _, j := range r.Jobs {
				if j.State == "finished" && j.Late(r.End) == 0 {
					met++
				}
			}
			b.Logf("%d of %d jobs in time, %d runs, %d entries, end %v", met, len(r.Jobs), len(r.Runs), r.Events, r.End)
		}
	}
	seconds := b.Elapsed().Seconds()
	// Where others share the machine, the processor's time is what counts.
	used := processor() - before
	b.ReportMetric(used/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(events)/used, "events/cpu-s") // appended to the log, or folded by a replica
	b.ReportMetric(float64(steps)/seconds, "heap/s")
	b.ReportMetric(float64(inputs)/seconds, "steps/s")
	b.ReportMetric(float64(samples)/seconds, "samples/s")
}

// processor is the CPU seconds that this process has used.
func processor() float64 {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano()).Seconds()
}

func BenchmarkCaseStudy(b *testing.B) { benchmark(b, caseStudy) }

func BenchmarkBrisk(b *testing.B) { benchmark(b, brisk) }

func BenchmarkDay(b *testing.B) { benchmark(b, day) }
