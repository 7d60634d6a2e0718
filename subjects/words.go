package subjects

// Rules by which a task was assigned: Why.Rule. The first four are those of the papers'
// policies, the others lull's own.
const (
	RuleFIFO    = "fifo"      // it came first
	RuleEDF     = "edf"       // it is due first
	RuleDanger  = "mp-i"      // MIMP's rule i: a deadline in danger, the earliest first
	RuleSuits   = "mp-ii"     // MIMP's rule ii: the smallest loss from what the primary leaves
	RuleExplore = "explore"   // its type was not tried on such a slot
	RuleRival   = "rival"     // a second attempt of a task that is late
	RuleRisk    = "mp+risk"   // it is predicted to miss its deadline
	RuleWait    = "mp+wait"   // it has waited longest
	RuleBeyond  = "mp+beyond" // its job was placed, and has left its hosts
	RuleFit     = "mp+fit"    // it gains most from the slot over an average one
)

// Reasons of a pace: Paced.Why. What a deadline calls for goes before what a share gives.
const (
	PaceShare    = "share"
	PaceDeadline = "deadline"
)

// Verdicts on messages of the inbox, and of forecasts: Verdict.Verdict, Forecast.Verdict.
const (
	VerdictAdmitted  = "admitted"
	VerdictTrying    = "trying" // a few tasks run before the verdict
	VerdictRejected  = "rejected"
	VerdictCancelled = "cancelled"
	VerdictRetried   = "retried"
	VerdictRefused   = "refused"
)

// Which deadlines a verdict checked: Admitted.Mode, Forecast.Mode.
const (
	ModeAffected = "affected" // the job's own and those of all that it pushes
	ModeEq7      = "eq7"      // the job's own, as MIMP's equation 7 has it
	ModeAll      = "all"      // none: whatever some host can run is admitted
)

// WholePool is the partition of a service that writes for all of a pool: Led.Partition.
const WholePool = "all"
