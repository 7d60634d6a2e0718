package swim

import (
	"fmt"
	"os"
	"time"

	"lull/sim"
	"lull/sim/trace"
	"lull/test/papers/workload"
)

// Series reads files of usage, the same number of series of each, so that
// the largest does not drown the others.
func Series(paths []string) ([]sim.Host, error) {
	var pools [][]sim.Host
	least := Hosts
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		pool, err := trace.Hosts(file, path, trace.HostOptions{Cores: Cores})
		_ = file.Close() // only read
		if err != nil {
			return nil, err
		}
		pools = append(pools, pool.Hosts)
		least = min(least, len(pool.Hosts))
	}
	var all []sim.Host
	for _, pool := range pools {
		for i := range least { // spread over the file
			all = append(all, pool[i*len(pool)/least])
		}
	}
	return all, nil
}

// Draw are hosts with series drawn by the seed, each begun on a day of its own.
func Draw(series []sim.Host, seed uint64) []sim.Host {
	rng := workload.Random(seed, "hosts")
	hosts := make([]sim.Host, Hosts)
	for i := range hosts {
		h := series[rng.IntN(len(series))]
		h.Name = fmt.Sprintf("h%02d", i+1)
		h.Load = Rotate(h.Load.(sim.Series), rng.IntN(1000))
		hosts[i] = h
	}
	return hosts
}

// Rotate begins a series at another of its midnights.
func Rotate(s sim.Series, day int) sim.Series {
	perDay := max(int(24*time.Hour/s.Every), 1)
	from := day % max(len(s.Cores)/perDay, 1) * perDay
	s.Cores = append(append([]float64{}, s.Cores[from:]...), s.Cores[:from]...)
	return s
}

// left are the cores that a host's primary leaves, on average over the series.
func left(series []sim.Host) float64 {
	sum, seconds := 0.0, 0.0
	for i := range series {
		s := series[i].Load.(sim.Series)
		for _, used := range s.Cores {
			sum, seconds = sum+max(0, float64(series[i].Cores)-used)*s.Every.Seconds(), seconds+s.Every.Seconds()
		}
	}
	return sum / seconds
}
