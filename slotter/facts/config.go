package facts

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"lull/slotter/datanode"
	"lull/slotter/steering"
)

// Config says how a pool's slots are given away. The zero value is ready.
type Config struct {
	// Policy is one of Policies. Defaults to PolicyMPPlus.
	Policy string
	// Models is "online", when finished tasks refit them, or "fixed", when those
	// in the log stay as they are: for experiments with models that err.
	// Defaults to "online".
	Models string
	// Silence is how long a host may be unheard of before it counts as lost.
	// Defaults to 15 s: heartbeats come every second, and a host that
	// stalls on its disk may miss ten of them.
	Silence time.Duration
	// Forget is how long a host may be away, lost or left, before the slotter gives it up. Then its
	// attempts end, and lists leave it out. Until then it may come back and go on. Defaults to 7
	// days; below 0 means never.
	Forget time.Duration
	// Doubt is how long the slotter suspects a fault of its own when a third of the hosts or more
	// fall silent together, before it declares them lost. Defaults to 5 minutes: a switch reboots
	// within that.
	Doubt time.Duration
	// Stale is the age beyond which a host's usage is not decided on: its free
	// slots stay empty. Defaults to 10 s, over which idle cores are averaged.
	Stale time.Duration
	// Retention is how long hosts keep the outputs of an ended job, provided that
	// the ledger keeps the job as long: see ledger.KeepFor. Defaults to 24 h.
	Retention time.Duration
	// Rivals is the greatest part of a job's running tasks that may have a second attempt, because
	// the first is predicted to end late. One task of any job may. Defaults to 0.1, LATE's cap;
	// below 0 none has.
	Rivals float64
	// Borrow is the part of the other queues' slots, and of their capacity, that a queue may take
	// for deadlines at risk, so that setting deadlines does not give it the whole pool. Defaults to 0.5; below 0 deadlines
	// wait for their queue's turn.
	Borrow float64
	// Pace is when the slotter limits jobs to their share of the pool's capacity, in bytes/s:
	// "auto", when an operator gave a queue a weight, "on" or "off". Defaults to "auto".
	Pace string
	// Preempt is how queues and jobs that borrow make way for one with a claim. With "throttle"
	// they are slowed to their shares. With "kill" their attempts also end where the claim is to a
	// slot. With "none" running tasks continue as they began. Defaults to "throttle": a task that
	// is slowed keeps its memory and its progress.
	Preempt string
	// Steer is how the history of tenants chooses hosts: "profile" prefers those where tasks are
	// the likeliest to stay for as long as they run, "paper" keeps a job to the classes that
	// history-based harvesting selects by how long it runs, and "off" ignores history. Defaults to
	// "profile", which does nothing where no tenant is known.
	Steer string
	// PredictStay answers in the place of tenants' profiles, with "profile": the probability that the
	// primary of a host stays within a share of its cores for so long. For simulations, in which it
	// may know the future. Defaults to the profiles.
	PredictStay func(host string, now time.Time, room float64, lasts time.Duration) float64
	// Weights are the weights of classes, by the rank of their pattern. Default to 3, 2, 1.
	Weights steering.Weights
	// AwaitPlacer is how long a job whose stages exchange data waits after its admission for the
	// placer to choose its hosts. Defaults to 2 s; below 0 none waits. Nothing waits where no placer leads.
	AwaitPlacer time.Duration
	// PreemptAfter is how long a claim to slots stands unmet before attempts end
	// for it, with "kill". Defaults to 10 s, some time constants of throttling.
	PreemptAfter time.Duration
	// Capacity is what the pool's tasks can read in all, in bytes/s, whatever they run: that of a
	// file system or a switch that all share. Defaults to what its idle cores read, type by type.
	Capacity float64
	// DataNodes are the nodes with a known capacity. The slotter learns that of others from the
	// times of the tasks that read from them.
	DataNodes []datanode.Config
}

// Values of Config.Policy.
const (
	PolicyFIFO   = "fifo"
	PolicyEDF    = "edf"
	PolicyMP     = "mp"  // MIMP
	PolicyMPPlus = "mp+" // lull's own rule
	// PolicyHarvest is the scheduler of history-based harvesting: jobs by submission, on hosts
	// drawn in proportion to their free slots. It makes no second attempts of slow tasks.
	PolicyHarvest = "harvest"
)

// Policies are all of them, the simplest first, and harvest last.
func Policies() []string {
	return []string{PolicyFIFO, PolicyEDF, PolicyMP, PolicyMPPlus, PolicyHarvest}
}

// Values of Config.Pace.
const (
	PaceAuto = "auto"
	PaceOn   = "on"
	PaceOff  = "off"
)

// Values of Config.Preempt.
const (
	PreemptThrottle = "throttle"
	PreemptKill     = "kill"
	PreemptNone     = "none"
)

// Values of Config.Steer.
const (
	SteerOff     = "off"
	SteerPaper   = "paper"
	SteerProfile = "profile"
)

// Values of Config.Models.
const (
	ModelsOnline = "online"
	ModelsFixed  = "fixed"
)

// Fill puts the defaults in place of zero values.
func (c *Config) Fill() {
	if c.Policy == "" {
		c.Policy = PolicyMPPlus
	}
	if c.Rivals == 0 {
		c.Rivals = 0.1
	}
	if c.Borrow == 0 {
		c.Borrow = 0.5
	}
	if c.Pace == "" {
		c.Pace = PaceAuto
	}
	if c.Preempt == "" {
		c.Preempt = PreemptThrottle
	}
	if c.Models == "" {
		c.Models = ModelsOnline
	}
	if c.Steer == "" {
		c.Steer = SteerProfile
	}
	if c.Weights == (steering.Weights{}) {
		c.Weights = steering.Ranked
	}
	defaults := []struct {
		field *time.Duration
		value time.Duration
	}{
		{&c.Silence, 15 * time.Second},
		{&c.Forget, 7 * 24 * time.Hour},
		{&c.Doubt, 5 * time.Minute},
		{&c.Stale, 10 * time.Second},
		{&c.Retention, 24 * time.Hour},
		{&c.PreemptAfter, 10 * time.Second},
		{&c.AwaitPlacer, 2 * time.Second},
	}
	for _, d := range defaults {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
}

// Validate reports a value that is out of bounds.
func (c *Config) Validate() error {
	if !slices.Contains(Policies(), c.Policy) {
		return fmt.Errorf("slotter: policy %q is unknown: choose mp+, mp, edf, fifo or harvest", c.Policy)
	}
	if math.IsNaN(c.Rivals) || c.Rivals > 1 {
		return fmt.Errorf("slotter: Rivals is %g: give a part of a job's tasks, at most 1", c.Rivals)
	}
	if c.Models != ModelsOnline && c.Models != ModelsFixed {
		return fmt.Errorf("slotter: models %q is unknown: choose online or fixed", c.Models)
	}
	if c.Steer != SteerOff && c.Steer != SteerPaper && c.Steer != SteerProfile {
		return fmt.Errorf("slotter: steer %q is unknown: choose profile, paper or off", c.Steer)
	}
	if min(c.Silence, c.Doubt, c.Stale, c.Retention, c.PreemptAfter) < 0 {
		return errors.New("slotter: Silence, Doubt, Stale, Retention and PreemptAfter must not be negative")
	}
	if err := datanode.Validate(c.DataNodes); err != nil {
		return errors.Join(c.checkShares(), fmt.Errorf("slotter: %w", err))
	}
	return c.checkShares()
}

func (c *Config) checkShares() error {
	switch {
	case !(c.Borrow <= 1):
		return fmt.Errorf("slotter: Borrow is %g: give a part of the other queues' shares, at most 1", c.Borrow)
	case c.Pace != PaceAuto && c.Pace != PaceOn && c.Pace != PaceOff:
		return fmt.Errorf("slotter: pace %q is unknown: choose auto, on or off", c.Pace)
	case c.Preempt != PreemptThrottle && c.Preempt != PreemptKill && c.Preempt != PreemptNone:
		return fmt.Errorf("slotter: preempt %q is unknown: choose throttle, kill or none", c.Preempt)
	case !(c.Capacity >= 0 && c.Capacity <= datanode.MaxRate):
		return fmt.Errorf("slotter: Capacity is %g bytes/s: give 0 for what the idle cores read, or at most %g", c.Capacity, datanode.MaxRate)
	}
	return nil
}

// FirstComeFirstServed reports whether the policy serves jobs in the order of their submission.
func (c *Config) FirstComeFirstServed() bool {
	return c.Policy == PolicyFIFO || c.Policy == PolicyHarvest
}
