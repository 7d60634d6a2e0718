package ledger

import (
	"maps"
	"slices"

	"lull/subjects"
	"lull/subjects/ledger/harm"
)

// The form of a snapshot. Jobs and tasks are packed into bytes, because there may
// be a million of them.
type (
	snapshot struct {
		Seq      uint64             `msgpack:"seq"`
		Inbox    uint64             `msgpack:"inbox"`
		Born     int64              `msgpack:"inbox_born,omitempty"`
		Paused   bool               `msgpack:"paused"`
		PausedBy *Attribution       `msgpack:"paused_by,omitempty"`
		Vouched  bool               `msgpack:"vouched,omitempty"`
		Hosts    []hostForm         `msgpack:"hosts"`    // by id
		Jobs     packedJobs         `msgpack:"packed"`   // by submission
		Attempts []attemptForm      `msgpack:"attempts"` // host by host, in order
		Types    []string           `msgpack:"types"`
		Models   []*subjects.Fitted `msgpack:"models"`
		ModelsAt []uint64           `msgpack:"models_at,omitempty"`
		Leads    []leadForm         `msgpack:"leads"`
		Queues   []Queue            `msgpack:"queues,omitempty"` // by name
		// How the tasks of models follow their CPU cap, by model.
		Responsive []string               `msgpack:"responsive,omitempty"`
		Responses  []*subjects.Identified `msgpack:"responses,omitempty"`
		RespondAt  []uint64               `msgpack:"responses_at,omitempty"`
		Harm       []harm.Form            `msgpack:"tolls,omitempty"` // by tenant and host
		Clock      [4]int64               `msgpack:"clock,omitempty"` // see clock
		Lost       []lostForm             `msgpack:"lost,omitempty"`  // by submission
		Tenants    *TenantsForm           `msgpack:"tenants,omitempty"`
		Steering   []steeringForm         `msgpack:"steering,omitempty"` // by submission
		Owners     []subjects.OwnedHosts  `msgpack:"owners,omitempty"`
		Network    *Network               `msgpack:"network,omitempty"`
		Placements []placementForm        `msgpack:"placements,omitempty"` // by submission
		Accuracies Accuracies             `msgpack:"accuracies,omitempty"` // by type
		Awaiting   []awaitingForm         `msgpack:"awaiting,omitempty"`   // by submission
	}
	lostForm struct {
		Job  string  `msgpack:"job"`
		Lost float64 `msgpack:"lost"` // see Job.Lost
	}
	hostForm struct {
		Name   string          `msgpack:"name"`
		Term   uint64          `msgpack:"term"`
		Joined subjects.Joined `msgpack:"joined"`
		Since  int64           `msgpack:"since"`
		Flags  [4]bool         `msgpack:"flags"` // gone, lost, paused, drain
		Harmed int64           `msgpack:"harmed,omitempty"`
		Away   int64           `msgpack:"away,omitempty"`
		Heard  int64           `msgpack:"heard,omitempty"`
		HeldBy *Attribution    `msgpack:"held_by,omitempty"`
		// Forgotten is missing in snapshots of older versions, whose lists show such hosts.
		Forgotten bool `msgpack:"forgotten,omitempty"`
	}
	paceForm struct {
		Host  uint32          `msgpack:"host"`
		Term  uint64          `msgpack:"term"`
		Rates []subjects.Rate `msgpack:"rates"`
		Share float64         `msgpack:"share"`
		Why   string          `msgpack:"why"`
		For   []string        `msgpack:"for,omitempty"`
	}
	attemptForm struct {
		Attempt
		Job  string `msgpack:"job"`
		Host uint32 `msgpack:"host"`
	}
	leadForm struct {
		Key    string `msgpack:"key"`
		Term   uint64 `msgpack:"term"`
		Format uint32 `msgpack:"format,omitempty"`
	}
)

// Snapshot returns the state in bytes.
func (s *State) Snapshot() ([]byte, error) {
	form := snapshot{Seq: s.Seq, Inbox: s.Inbox, Born: s.InboxCreated, Paused: s.Paused, PausedBy: s.PausedBy, Vouched: s.Vouched}
	for _, h := range s.byID {
		form.Hosts = append(form.Hosts, hostForm{
			h.Name, h.Term, h.Joined, h.Since, [4]bool{h.Gone, h.Lost, h.Paused, h.Drain}, h.harmed, h.Away, h.Heard, h.HeldBy, h.Forgotten,
		})
		for _, a := range h.attempts {
			form.Attempts = append(form.Attempts, attemptForm{*a, a.Job.ID, h.id})
		}
	}
	jobs, err := packJobs(&s.order)
	if err != nil {
		return nil, err
	}
	form.Jobs = jobs
	for j := range s.order.All() {
		if j.Lost > 0 {
			form.Lost = append(form.Lost, lostForm{j.ID, j.Lost})
		}
	}
	form.Types, form.Responsive, form.Queues = s.models.names, s.responses.names, s.queues
	form.Models, form.ModelsAt = s.models.packed()
	form.Responses, form.RespondAt = s.responses.packed()
	form.Leads, form.Harm, form.Tenants = s.terms.packed(), s.harm.Pack(), s.Tenants.Pack()
	form.Steering, form.Owners = s.packSteering(), s.Owners.List()
	form.Network, form.Placements, form.Accuracies = s.Network, s.packPlacements(), s.Accuracies
	form.Awaiting = packAwaiting(s)
	form.Clock = [4]int64{s.clock.now, s.clock.leap, s.clock.earlier, int64(s.clock.earlierInRow)}
	return subjects.Append(make([]byte, 0, len(form.Jobs.Rows)+besideRows), &form)
}

// besideRows is room for what a snapshot holds beside its jobs. It grows where that is more.
const besideRows = 16 << 10

// packed lists the terms by partition.
func (all terms) packed() []leadForm {
	leads := make([]leadForm, 0, len(all))
	for _, key := range slices.Sorted(maps.Keys(all)) {
		leads = append(leads, leadForm{key, all[key].seq, all[key].format})
	}
	return leads
}
