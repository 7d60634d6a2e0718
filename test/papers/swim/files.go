package swim

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"lull/sim"
	"lull/sim/trace"
	"lull/test/papers/truth"
	"lull/test/public"
)

// Files are the traces to replay: a trace of jobs, FB-2009 by default, and files of hosts' usage, separated by
// commas. missing says what is not there.
func Files(jobs, usage string) (trace string, hosts []string, missing string) {
	data := public.Folder()
	if jobs == "" {
		jobs = filepath.Join(data, "jobs_swim_fb2009.csv.gz")
	}
	if hosts = strings.Split(usage, ","); usage == "" {
		hosts = nil
		for _, name := range []string{"alibaba2018_machines", "smd_machines", "bitbrains_rnd_2013-08"} {
			hosts = append(hosts, filepath.Join(data, "cpu_"+name+".csv.gz"))
		}
	}
	for _, path := range append([]string{jobs}, hosts...) {
		if _, err := os.Stat(path); err != nil {
			return jobs, hosts, fmt.Sprintf("%v: name traces with --jobs and --hosts", err)
		}
	}
	return jobs, hosts, ""
}

// Jobs reads a trace and scales its bytes so that its work is Load of what the series leave idle on
// average in its time. A deadline is factor times what the job takes alone on idle hosts. moves says that reduces
// fetch what is shuffled.
func Jobs(path string, factor float64, series []sim.Host, quick, moves bool) (*trace.List, error) {
	o := trace.JobOptions{Noise: truth.Noise, Swim: trace.Swim{DeadlineFactor: factor, Slots: Hosts * Cores, Moves: moves}}
	if quick {
		o.Until = Quick
	}
	low, high := 0.0, 1.0
	var list *trace.List
	for range 16 {
		o.Swim.Scale = (low + high) / 2
		var err error
		if list, err = readList(path, o); err != nil {
			return nil, err
		}
		length := list.Last
		if quick {
			length = min(length, Quick)
		}
		if list.Work > Load*left(series)*Hosts*length.Seconds() {
			high = o.Swim.Scale
		} else {
			low = o.Swim.Scale
		}
	}
	return list, nil
}

func readList(path string, o trace.JobOptions) (*trace.List, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read
	return trace.Jobs(file, path, o)
}
