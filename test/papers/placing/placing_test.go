package placing

import (
	"math"
	"testing"

	"lull/placer/predict"
	"lull/placer/topology"
	"lull/sim"
	"lull/test/papers/twin"
)

const mb = 1e6

// pool is racks of hosts with two idle slots each and NICs of 100 MB/s.
func pool(hosts int, uplinks ...float64) *predict.Snapshot {
	s := &predict.Snapshot{Tree: &topology.Tree{}}
	for r, up := range uplinks {
		name := string(rune('a' + r))
		s.Tree.Racks = append(s.Tree.Racks, topology.Rack{Name: name, Up: up, Down: up})
		for h := range hosts {
			s.Tree.Hosts = append(s.Tree.Hosts, topology.Host{Name: name + string(rune('0'+h)), Rack: r, Out: 100 * mb, In: 100 * mb})
			s.Hosts = append(s.Hosts, predict.Host{Slots: 2, Idle: 2})
		}
	}
	return s
}

func mapReduce(maps, reduces int, input float64) *predict.Application {
	return &predict.Application{Stages: []predict.Stage{
		{Tasks: maps, Input: input, Gives: 1, Curve: flat(10)},
		{From: []predict.From{{Stage: 0}}, Tasks: reduces, Gives: 1, Curve: flat(5)},
	}}
}

// TestThreeJudgesAgree has the predictor, the twin and the simulator with lull's slotter say what one computes by
// hand. The simulator's messages take some milliseconds.
func TestThreeJudgesAgree(t *testing.T) {
	twice := mapReduce(4, 4, 100*mb)
	second := mapReduce(4, 4, 100*mb)
	second.Stages[0].From = []predict.From{{Stage: 1, Kind: predict.After}}
	second.Stages[1].From = []predict.From{{Stage: 2}}
	twice.Stages = append(twice.Stages, second.Stages...)
	for name, test := range map[string]struct {
		app   *predict.Application
		pool  *predict.Snapshot
		hosts []int
		want  float64
	}{
		"one host of four":                 {mapReduce(2, 2, 100*mb), pool(2, 50*mb, 50*mb), []int{2}, 10 + 5},
		"one rack: each NIC takes 100 MB":  {mapReduce(4, 4, 100*mb), pool(2, 50*mb, 50*mb), []int{2, 3}, 10 + 1 + 5},
		"two racks: 100 MB over 50 MB/s":   {mapReduce(4, 4, 100*mb), pool(2, 50*mb, 80*mb), []int{1, 2}, 10 + 2 + 5},
		"two jobs after each other":        {twice, pool(1, 50*mb, 50*mb), []int{0, 1}, 2 * (10 + 2 + 5)},
		"waves: eight tasks on four slots": {mapReduce(8, 4, 0), pool(2, 50*mb), []int{0, 1}, 10 + 10 + 5},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := predict.New(test.app, test.pool)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Predict(test.hosts).Seconds; math.Abs(got-test.want) > 1e-6 {
				t.Errorf("Predict(%v) = %v s, want %v", test.hosts, got, test.want)
			}
			if got := twin.Seconds(test.app, test.pool, test.hosts); math.Abs(got-test.want) > 1e-6 {
				t.Errorf("twin.Seconds(%v) = %v s, want %v", test.hosts, got, test.want)
			}
			got, err := simulate(t.Context(), test.app, test.pool, test.hosts)
			if err != nil || math.Abs(got-test.want) > 0.05*float64(len(jobs(test.app))) {
				t.Errorf("simulate(%v) = %v s, %v, want %v", test.hosts, got, err, test.want)
			}
		})
	}
}

// TestTheSlotterStaysOnTheHosts: what is simulated runs where it was placed, and nowhere else.
func TestTheSlotterStaysOnTheHosts(t *testing.T) {
	s := pool(3, 50*mb, 50*mb)
	r, err := sim.Run(t.Context(), scenario(mapReduce(12, 4, mb), s, []int{1, 4}))
	if err != nil {
		t.Fatal(err)
	}
	ran := map[string]int{}
	for _, run := range r.Runs {
		ran[run.Host]++
	}
	if len(ran) != 2 || ran["a1"]+ran["b1"] != 16 {
		t.Errorf("tasks by host = %v, want 16 on a1 and b1", ran)
	}
}

// TestDeclared: the declared jobs are those of the paper's sizes, and cut where a job ends.
func TestDeclared(t *testing.T) {
	if s := evaluation(); len(s.Hosts) != 800 || s.Tree.Racks[6].Up != 200*megabit || s.Tree.Racks[7].Up != 800*megabit {
		t.Errorf("evaluation() = %d hosts, uplinks %v and %v, want 800 hosts, 200 Mbit/s and 800 Mbit/s", len(s.Hosts), s.Tree.Racks[6], s.Tree.Racks[7])
	}
	if cut := jobs(analytics()); len(cut) != 2 || len(cut[0].Stages) != 2 || len(cut[1].Stages) != 2 || cut[1].Stages[1].From[0].Stage != 0 {
		t.Errorf("jobs(analytics) = %+v, want two of two stages, the last of which reads the first of its job", cut)
	}
	if cut := jobs(sorted()); len(cut) != 1 || len(cut[0].Stages) != 2 {
		t.Errorf("jobs(sort) = %+v, want one of two stages", cut)
	}
}
