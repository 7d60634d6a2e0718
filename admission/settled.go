package admission

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"lull/admission/inbox"
	"lull/admission/pool"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/room"
	"lull/subjects/spec"
)

// settled returns when the pool is known well enough for a verdict on n; a time that is not after
// now means that it is. With `lull run` the job comes while its only host is joining. So the
// verdict waits for the first host, and if the job has a deadline for the first telemetry of each
// host.
func (v *verdicts) settled(n pool.Newcomer) int64 {
	until, hosts := int64(0), 0
	for _, life := range v.Ledger.Hosts() {
		if life.Gone {
			continue
		}
		hosts++
		if _, heard := v.pool.Supply.Usage[life.Name]; !heard && n.Deadline != 0 {
			until = max(until, v.Settle(life.Since))
		}
	}
	if hosts == 0 {
		return v.Settle(n.At)
	}
	return until
}

// telemetryFullAt returns when the telemetry of every host covers the span of its mean. Until then no job is
// rejected for lack of CPU: with `lull run` a job comes together with its host, in a second in
// which the host may be busy.
func (v *verdicts) telemetryFullAt() int64 {
	at := int64(0)
	for _, life := range v.Ledger.Hosts() {
		if w := v.pool.Supply.Usage[life.Name]; w != nil && !life.Gone {
			at = max(at, w.First+int64(v.Config.Settle))
		}
	}
	return at
}

// impossible returns why no present host can ever run the job. It is "" if one can, or if none has
// joined yet and the job can wait for one.
func (v *verdicts) impossible(n pool.Newcomer) string {
	if (n.Spec.PerTask() || n.Spec.Conditional()) && !v.Ledger.AllRead(subjects.FormatByTask) { // older ones pass over these fields
		return "it uses by: task, matrix: or an outcome of stages, which a host or a service of this pool is too old for: upgrade them"
	}
	if n.Spec.Sends() && !v.Ledger.AllRead(subjects.FormatSent) {
		return "it sends files along, which a host or a service of this pool is too old for: upgrade them"
	}
	if spec.TakesStdin(n.Spec) && !v.Ledger.AllRead(subjects.FormatStdin) {
		return "it reads the standard input of a lull run, which a host or a service of this pool is too old for: upgrade them, or add </dev/null"
	}
	if spec.TakesParts(n.Spec) && !v.Ledger.AllRead(subjects.FormatParts) {
		return "its tasks take parts of a core, which a host or a service of this pool is too old for: upgrade them, or give whole cores"
	}
	if spec.EndsOwnWay(n.Spec) && !v.Ledger.AllRead(subjects.FormatEnding) {
		return "it uses grace: or warn:, which a host or a service of this pool is too old for: upgrade them"
	}
	if spec.BoundsAtOnce(n.Spec) && !v.Ledger.AllRead(subjects.FormatAtOnce) {
		return "it uses at_once:, which a host or a service of this pool is too old for: upgrade them"
	}
	if spec.HasOnExit(n.Spec) && !v.Ledger.AllRead(subjects.FormatOnExit) {
		return "it uses on_exit:, which a host or a service of this pool is too old for: upgrade them"
	}
	if spec.HasWall(n.Spec) && !v.Ledger.AllRead(subjects.FormatWall) {
		return "it uses wall:, which a host or a service of this pool is too old for: upgrade them"
	}
	if len(n.Spec.AfterJobs) > 0 && !v.Ledger.Reads(subjects.FormatAfterJob, "") {
		return "it runs after other jobs (after_job:), which a service of this pool is too old for: upgrade it"
	}
	present := present(v.Ledger)
	if len(present) == 0 {
		if n.Deadline == 0 || v.Config.Mode == subjects.ModeAll {
			return ""
		}
		return "no host has joined yet: try again when one has, or submit without a deadline"
	}
	for i := range n.Spec.Stages {
		if why := lacking(present, &n.Spec.Stages[i]); why != "" {
			return fmt.Sprintf("stage %s %s", n.Spec.Stages[i].Name, why)
		}
	}
	return ""
}

// lacking says what no host has for the stage.
func lacking(hosts []*ledger.Host, stage *spec.Stage) string {
	slots, memory, labelled := uint32(0), int64(0), 0
	for _, h := range hosts {
		if !h.Matches(stage.Where) {
			continue
		}
		widest := uint32(room.Widest(&h.Joined))
		if widest >= stage.CPU && h.Joined.Memory >= stage.Memory {
			return ""
		}
		labelled++
		slots, memory = max(slots, widest), max(memory, h.Joined.Memory)
	}
	switch {
	case labelled == 0:
		return fmt.Sprintf("asks for hosts with the labels %s: none of the %d hosts carries them", subjects.Clip(strings.Join(stage.Where, ", "), inbox.MaxText/2), len(hosts))
	case slots < stage.CPU:
		return fmt.Sprintf("asks for %v cores a task: the largest host that it may use has %d slots", stage.Cores(), slots)
	case memory < stage.Memory:
		return fmt.Sprintf("asks for %s of memory a task: the largest host that it may use gives %s to batch work", size(stage.Memory), size(memory))
	}
	return fmt.Sprintf("asks for %v cores and %s of memory a task: hosts that it may use have one or the other", stage.Cores(), size(stage.Memory))
}

func size(bytes int64) string { return humanize.Bytes(uint64(max(bytes, 0))) }

// present lists the hosts that have not left.
func present(state *ledger.State) (present []*ledger.Host) {
	for _, life := range state.Hosts() {
		if !life.Gone {
			present = append(present, life)
		}
	}
	return present
}
