package subjects

import (
	"encoding/json"
	"fmt"
	"time"
)

// Verbs of Pool.Request: what a client may ask of a job. They are kept by the
// inbox like submissions, and become Cancelled and Retried in the log.
const (
	RequestCancel = "cancel"
	RequestRetry  = "retry"
	// RequestVoid takes the place of lost messages in the inbox. It is not answered.
	RequestVoid = "void"
)

// Request is the body of a message on Pool.Request, JSON or msgpack.
type Request struct {
	Job string `msgpack:"job" json:"job"`
	Who string `msgpack:"who,omitempty" json:"who,omitempty"` // a claim: see Inbound
	Why string `msgpack:"why,omitempty" json:"why,omitempty"`
	// Refresh are the stages of a job to be retried whose inputs were pinned anew.
	Refresh []Repinned `msgpack:"-" json:"refresh,omitempty"`
	// Tasks are those that a cancel ends; without any, it ends the job.
	Tasks []StageTasks `msgpack:"-" json:"tasks,omitempty"`
}

// Verdict answers a submission or request that asked for a reply, as JSON. It
// is sent after the verdict stands in the log. It is the second message on the
// reply subject: the first is the stream's acknowledgement. VerdictTrying is no verdict yet:
// it comes at once, and the verdict is the third message.
type Verdict struct {
	Job      string  `json:"job"`
	Verdict  string  `json:"verdict"` // one of the Verdict constants
	Code     string  `json:"code,omitempty"`
	Text     string  `json:"text,omitempty"`
	Finish   string  `json:"finish,omitempty"`   // RFC 3339, predicted
	Earliest string  `json:"earliest,omitempty"` // RFC 3339, earliest safe deadline
	Deadline string  `json:"deadline,omitempty"` // RFC 3339, what admission took the job's to be
	Slack    float64 `json:"slack,omitempty"`    // seconds
}

// RepeatWindow is how long the inbox drops messages with a Nats-Msg-Id that it has
// received, from any sender: the least that a server allows. A sender that gets
// ReasonNotKept sends its message again.
const RepeatWindow = 100 * time.Millisecond

// ReasonNotKept is the code of a refused message that the inbox did not keep.
const ReasonNotKept = "not-kept"

// ReasonForbidden is the code of a request from a sender that may not change the job.
const ReasonForbidden = "forbidden"

// What can be asked with Pool.Ask, by core request and reply, in msgpack.
const (
	AskOutputs   = "outputs"  // OutputsAsk → OutputsAnswer, answered by the slotter
	AskDocument  = "document" // DocumentAsk → DocumentAnswer, answered by the slotter
	AskWanted    = "wanted"   // WantedAsk → WantedAnswer, answered by the slotter
	AskKept      = "kept"     // KeptAsk → KeptAnswer, answered by the slotter
	AskRoom      = "room"     // RoomAsk → RoomAnswer, answered by the slotter
	AskDataNodes = "sources"  // DataNodesAsk → DataNodesAnswer, answered by the slotter
)

// DocumentAsk asks for the document of a live job that the log no longer keeps.
type DocumentAsk struct {
	Job string `msgpack:"job"`
	Seq uint64 `msgpack:"seq"` // of the submitted that the ledger accepted
}

// DocumentAnswer holds the fields of a submitted event that the ledger keeps.
type DocumentAnswer struct {
	Error     string     `msgpack:"error,omitempty"`
	Submitted *Submitted `msgpack:"submitted,omitempty"`
}

// OutputsAsk asks where the committed outputs of a stage are.
type OutputsAsk struct {
	Job   string `msgpack:"job"`
	Stage uint32 `msgpack:"stage"`
	First uint32 `msgpack:"first,omitempty"` // task from which on to answer
	// Count is how many tasks to answer for, 0 for all. Slotters of before Format 2 answer for all.
	Count uint32 `msgpack:"count,omitempty"`
}

// Output is one task's committed output.
type Output struct {
	Task     uint32 `msgpack:"task"`
	Attempt  uint64 `msgpack:"attempt"`
	Host     uint32 `msgpack:"host"` // index into OutputsAnswer.Hosts
	Manifest Digest `msgpack:"manifest"`
}

// OutputHost is a host that serves outputs.
type OutputHost struct {
	Host string `msgpack:"host"`
	URL  string `msgpack:"url"`
	// Token is the bearer token of a host with an agent of a release without tickets; "" for all
	// others.
	Token string `msgpack:"token"`
	// Rack is the host's rack; "" for none, and from a slotter of an earlier release.
	Rack string `msgpack:"rack,omitempty"`
}

// TicketAnswer is the answer on Pool.Ticket, in msgpack: with the ticket as bearer
// token the host serves its outputs and logs.
type TicketAnswer struct {
	Ticket string `msgpack:"ticket"`
	Until  int64  `msgpack:"until"` // Unix seconds; a transfer that began before goes on
	// URL is where the host serves; "" from hosts of earlier releases.
	URL string `msgpack:"url,omitempty"`
}

// ProbeAnswer is what a probe showed: how many bytes came from another host, and in which time. JSON.
type ProbeAnswer struct {
	Bytes   int64   `json:"bytes"`
	Seconds float64 `json:"seconds"`
}

// OutputsAnswer lists the outputs that have files, by task.
type OutputsAnswer struct {
	Error   string       `msgpack:"error,omitempty"` // the stage is unknown or not complete
	Hosts   []OutputHost `msgpack:"hosts"`
	Outputs []Output     `msgpack:"outputs"`
	// Next is the task to ask from for the rest, 0 when this is all: a stage's
	// outputs may be more than one message holds.
	Next uint32 `msgpack:"next,omitempty"`
}

// WantedAsk asks which of these jobs still need what hosts keep of them.
type WantedAsk struct {
	Jobs []string `msgpack:"jobs"`
}

// WantedAnswer holds the subset of WantedAsk.Jobs that is still wanted.
type WantedAnswer struct {
	Jobs []string `msgpack:"jobs"`
}

// RoomAsk asks which of a host's attempts another host could run now.
type RoomAsk struct {
	Host string `msgpack:"host"`
}

// RoomAnswer lists attempts of the host, each of which a free slot of another host could take.
type RoomAnswer struct {
	Error    string   `msgpack:"error,omitempty"`
	Attempts []uint64 `msgpack:"attempts,omitempty"`
}

// KeptAsk asks which outputs a host is to have on its disk, because a stage of a live
// job still reads them. It is answered once the services that lead read FormatMissing.
type KeptAsk struct {
	Host string   `msgpack:"host"`
	From KeptFrom `msgpack:"from"` // the zero value for the first page
}

// KeptFrom is a place in the list of what a host keeps.
type KeptFrom struct {
	Job uint64 `msgpack:"job"` // log sequence of its submitted
	TaskID
}

// KeptOutput is the committed output of a task.
type KeptOutput struct {
	Job string `msgpack:"job"`
	TaskID
	Attempt  uint64 `msgpack:"attempt"`
	Manifest Digest `msgpack:"manifest"`
}

// KeptAnswer lists the outputs by job, stage and task.
type KeptAnswer struct {
	Error string `msgpack:"error,omitempty"`
	// Unknown says that Error is about the host: the slotter has not read yet that it joined.
	Unknown bool         `msgpack:"unknown,omitempty"`
	Outputs []KeptOutput `msgpack:"outputs"`
	// Next is where to ask from for the rest, zero when this is all.
	Next KeptFrom `msgpack:"next"`
}

// DataNodesAsk asks how loaded data nodes are.
type DataNodesAsk struct {
	Job string `msgpack:"job,omitempty"` // only those from which its next tasks read
}

// DataNodesAnswer lists data nodes by name.
type DataNodesAnswer struct {
	Error string     `msgpack:"error,omitempty"`
	Nodes []DataNode `msgpack:"nodes"`
}

// DataNode is one that tasks read from: see spec.Stage.Sources.
type DataNode struct {
	Name     string  `msgpack:"name"`
	Load     float64 `msgpack:"load"`               // bytes/s that its readers are predicted to want
	Readers  uint32  `msgpack:"readers"`            // tasks that run
	Capacity float64 `msgpack:"capacity,omitempty"` // bytes/s, 0 if it is not known
	Learnt   bool    `msgpack:"learnt,omitempty"`   // the capacity was not configured but observed
	// Overloaded says that a task of the job that was asked about would overload it.
	Overloaded bool `msgpack:"waits,omitempty"`
}

// TooLarge is the error sent in place of an answer that is larger than the server allows.
// It is nil for AskWanted: its answer has no field for an error, and a host deletes
// outputs that an answer does not list.
func TooLarge(ask string, size, most int) []byte {
	why := fmt.Sprintf("the answer takes %d bytes, the NATS server allows at most %d in a message: raise its max_payload", size, most)
	switch ask {
	case AskAdmission:
		body, err := json.Marshal(Forecast{Error: why, Text: why})
		if err != nil {
			return nil
		}
		return body
	case AskOutputs, AskKept, AskRoom, AskDocument, AskDataNodes, AskJobs, AskUsage, AskHosts, AskModels, AskQueues, AskJob, AskTenants, AskClassify, AskPlan, AskLinks:
	default:
		return nil
	}
	answer := struct {
		Error string `msgpack:"error"`
	}{why}
	body, err := Marshal(answer)
	if err != nil {
		return nil
	}
	return body
}
