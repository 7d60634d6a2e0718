package subjects

// AskAdmission asks what admission would say of a job, by core request and
// reply. The question is the document as it would be submitted, in JSON,
// msgpack or YAML; the answer is a Forecast in JSON. Nothing is written down,
// and nothing is promised: the next job may take the place.
const AskAdmission = "admission"

// Forecast is the verdict that a job would get now. Times are RFC 3339 in UTC,
// "" when there is none; spans are seconds.
type Forecast struct {
	// Error says why there is no forecast, "" when there is one.
	Error string `json:"error,omitempty"`

	Name    string `json:"name,omitempty"`
	Verdict string `json:"verdict"`        // VerdictAdmitted, VerdictRejected or VerdictTrying
	Code    string `json:"code,omitempty"` // why it is rejected, as in Rejected
	Text    string `json:"text"`
	Mode    string `json:"mode"` // which deadlines are checked, as in Admitted

	// At is when admission answered. Until is when a job that would be tried first has its verdict
	// at the latest. Again is after how many seconds to ask again, because a host has just joined;
	// 0 if no change is expected.
	At    string  `json:"at,omitempty"`
	Until string  `json:"until,omitempty"`
	Again float64 `json:"again_seconds,omitempty"`

	Deadline string `json:"deadline,omitempty"`
	// Finish is the predicted end, in FinishSeconds from At; nine in ten lie within Soonest
	// and Latest. Of a job that would be tried first they are what follows from a guess.
	Finish        string  `json:"finish,omitempty"`
	FinishSeconds float64 `json:"finish_seconds,omitempty"`
	Soonest       string  `json:"soonest,omitempty"`
	Latest        string  `json:"latest,omitempty"`
	Slack         float64 `json:"slack_seconds"` // from Finish to the deadline
	// Earliest is the earliest deadline that would be admitted now.
	Earliest string `json:"earliest,omitempty"`
	// Idle is how many of the hosts' Cores are idle now. Observed is for how many seconds
	// the hosts were observed, 0 if that is long enough to know what they leave on average.
	Idle     float64 `json:"idle"`
	Cores    int     `json:"cores"`
	Observed float64 `json:"observed_seconds,omitempty"`
	// Days is how many tenants' past days say what hosts leave beyond the next hour.
	Days int `json:"days_of_tenants,omitempty"`
	// Margin is the share added to every prediction.
	Margin float64 `json:"margin"`

	// Ahead is how many jobs are served before it. AheadSeconds is how long they and the running
	// tasks keep the pool, or 0 if no host is expected to leave them any CPU.
	Ahead        int     `json:"ahead"`
	AheadSeconds float64 `json:"ahead_seconds"`
	// Pushed are the jobs it would make later, the most urgent first, at most
	// MaxPushed of PushedJobs. One with a negative slack would miss its deadline.
	Pushed     []Push `json:"pushed"`
	PushedJobs int    `json:"pushed_jobs"`
	// Plan is where the job would be placed, as the placer said; nil where it would not be.
	Plan   *PlanAnswer  `json:"plan,omitempty"`
	Stages []Assumption `json:"stages"`
}

// MaxPushed bounds the jobs that a verdict lists as pushed.
const MaxPushed = 16

// Assumption is what a prediction takes a stage's tasks for.
type Assumption struct {
	Stage string `json:"stage"`
	Model string `json:"model"`
	Tasks uint32 `json:"tasks"`
	// Seconds is a task's time on an idle core, Slots how many of its tasks
	// run at once.
	Seconds float64 `json:"seconds_on_idle_core"`
	Slots   int     `json:"slots"`
	// Basis says where Seconds is from: "model", "estimate" (the job's own), "copy" (lull's
	// own copying of results), or "default" when nothing is known.
	Basis   string  `json:"source"`
	Samples uint32  `json:"samples,omitempty"`
	NRMSE   float64 `json:"nrmse,omitempty"`
	Drift   bool    `json:"drift,omitempty"`
	// FetchBytes is what its tasks copy from other hosts in all before they start, FetchSeconds how
	// long that holds the stage up, and FetchFrom the stages that wrote it, in words.
	FetchBytes   int64   `json:"fetch_bytes,omitempty"`
	FetchSeconds float64 `json:"fetch_seconds,omitempty"`
	FetchFrom    string  `json:"fetch_from,omitempty"`
}

// Values of Assumption.Basis.
const (
	BasisModel    = "model"
	BasisEstimate = "estimate"
	BasisDefault  = "default"
	BasisCopy     = "copy"
)
