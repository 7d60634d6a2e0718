package subjects

// Format numbers what a reader of the log understands. It rises with every form of a message that
// ends the fold of an earlier release. A writer uses such a form only after all its readers have
// declared in their last Led or Joined that they understand it.
//
//	0  what the releases understand that say nothing
//	1  subjects of operators' events and of the inbox that end with a user's token;
//	   OutputMissing
//	2  Trying; stages that read others by task, variables of single tasks
//	3  StageFailed
//	4  Classified, PoolClassified
//	5  Placed, Wired; files sent with jobs; parts of cores
//	6  failures that are final; stages that say how their tasks are ended, and bound them by the clock; the
//	   standard input of a lull run; Owned; a Retried with a document; at_once and on_exit; jobs that run after others;
//	   TasksCancelled
const Format = 6

const (
	// FormatSigned is the first Format with users' tokens in subjects.
	FormatSigned = 1
	// FormatMissing is the first Format with OutputMissing.
	FormatMissing = 1
	// FormatTrying is the first Format with Trying.
	FormatTrying = 2
	// FormatByTask is the first Format of hosts that read a stage by task, and give
	// each task variables of its own.
	FormatByTask = 2
	// FormatStageFailed is the first Format with StageFailed.
	FormatStageFailed = 3
	// FormatTenants is the first Format with Classified and PoolClassified. Services of an
	// earlier one pass over them.
	FormatTenants = 4
	// FormatPlaced is the first Format with Placed and Wired. Services of an earlier one pass over
	// them.
	FormatPlaced = 5
	// FormatSent is the first Format of hosts that give tasks the files sent with their job.
	FormatSent = 5
	// FormatParts is the first Format of hosts and services that give tasks parts of a slot.
	FormatParts = 5
	// FormatFinal is the first Format of services that do not try a task again whose failure is final.
	FormatFinal = 6
	// FormatEnding is the first Format of hosts that give tasks the grace and the warning of their stage.
	FormatEnding = 6
	// FormatWall is the first Format of hosts that bound tasks by the clock.
	FormatWall = 6
	// FormatStdin is the first Format of hosts that give a task the standard input of a `lull run`.
	FormatStdin = 6
	// FormatAtOnce is the first Format of services that bound how many tasks of a job run at once.
	FormatAtOnce = 6
	// FormatOnExit is the first Format of hosts and services that follow what a stage says of exit statuses.
	FormatOnExit = 6
	// FormatAfterJob is the first Format of services that know jobs which run after others.
	FormatAfterJob = 6
	// FormatOwned is the first Format with Owned. Services of an earlier one pass over it, and believe hosts.
	FormatOwned = 6
	// FormatRefresh is the first Format of hosts and services that read a document from Retried.
	FormatRefresh = 6
	// FormatTasksCancelled is the first Format with TasksCancelled.
	FormatTasksCancelled = 6
)
