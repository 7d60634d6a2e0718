package spec

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// Doc is a job document. Its fields are what was written; what was not is zero
// until Job fills the defaults.
type Doc struct {
	Name  string `json:"name"`
	Type  string `json:"type,omitempty"`
	Queue string `json:"queue,omitempty"`
	// Deadline is a duration from submission on, such as 10m, an RFC 3339 time, or a time of
	// day, such as 06:00: see Fix. Late is LateReject or LateRun, "" for the first.
	Deadline string    `json:"deadline,omitempty"`
	Late     string    `json:"late,omitempty"`
	Output   string    `json:"output,omitempty"` // folder; absolute when sent
	Replace  bool      `json:"replace,omitempty"`
	AtOnce   uint32    `json:"at_once,omitempty"` // tasks of all stages that run at once; 0: no bound
	Place    string    `json:"place,omitempty"`   // one of PlaceFast and so on, "" for no wish
	Origin   string    `json:"origin,omitempty"`  // set by the client that pins the inputs
	Files    []DocFile `json:"files,omitempty"`   // sent with all stages; read by the client
	// AfterJob and IfRunning say how the job stands to other jobs: see AfterJob and Job.
	AfterJob  []string   `json:"after_job,omitempty"`
	IfRunning string     `json:"if_running,omitempty"`
	Stages    []DocStage `json:"stages"`

	source   []byte
	root     ast.Node
	defaults *DocStage
	shell    []string // nil for none
	expanded int      // items that ranges and matrices stand for
}

// DocStage is one stage of a Doc. At most one field makes its tasks: Tasks alone, Inputs, Each,
// Matrix, From, or, once files are pinned, List or Splits. Without any it has one task.
type DocStage struct {
	Name    string            `json:"name"`
	Command []string          `json:"command"` // a shell string arrives as sh -c
	Env     map[string]string `json:"env,omitempty"`
	EnvFile []string          `json:"env_file,omitempty"` // files of NAME=value; read by the client
	Dir     string            `json:"dir,omitempty"`
	Files   []DocFile         `json:"files,omitempty"` // read by the client
	Sent    []Sent            `json:"sent,omitempty"`  // Files, once they are stored

	Tasks  uint32    `json:"tasks,omitempty"`
	Inputs []string  `json:"inputs,omitempty"` // files and globs, ** for any depth
	Split  int64     `json:"split,omitempty"`  // bytes of input a task
	Record string    `json:"record,omitempty"` // RecordCSV, or "" for lines; read by the client
	Header int       `json:"header,omitempty"` // lines that each task gets; read by the client
	Group  int       `json:"group,omitempty"`  // files a task
	Each   *Each     `json:"each,omitempty"`
	Matrix *Matrix   `json:"matrix,omitempty"`
	From   []DocFrom `json:"from,omitempty"`
	List   string    `json:"list,omitempty"`   // name of Tasks splits kept by reference
	Chunk  uint32    `json:"chunk,omitempty"`  // tasks in each object of List
	Splits []Split   `json:"splits,omitempty"` // one a task
	Stdin  string    `json:"stdin,omitempty"`  // see Stage; written by lull run

	After    []string          `json:"after,omitempty"`
	AtOnce   uint32            `json:"at_once,omitempty"` // tasks that run at once; 0: no bound
	CPU      Cores             `json:"cpu,omitempty"`     // of a task
	Memory   int64             `json:"memory,omitempty"`  // bytes a task
	Where    map[string]string `json:"where,omitempty"`
	Retries  *uint32           `json:"retries,omitempty"` // nil: the default; 0: none
	Backoff  Duration          `json:"backoff,omitempty"`
	OnExit   map[string]string `json:"on_exit,omitempty"` // by exit status: ExitFail and so on
	Timeout  Duration          `json:"timeout,omitempty"`
	Wall     Duration          `json:"wall,omitempty"`
	Grace    Duration          `json:"grace,omitempty"`
	Warn     *Warn             `json:"warn,omitempty"`
	Estimate Duration          `json:"estimate,omitempty"`
	Gives    *Gives            `json:"gives,omitempty"`

	When         string    `json:"when,omitempty"`         // see Outcome
	MaxFailures  *Failures `json:"max_failures,omitempty"` // nil: none
	FailFast     *bool     `json:"fail_fast,omitempty"`    // nil: true
	AllowFailure *bool     `json:"allow_failure,omitempty"`

	Bytes int64 `json:"bytes,omitempty"` // input of a task on average; found by the client
	// Sources name the data nodes behind the input. nil: the client finds them;
	// empty: none limits the stage.
	Sources []string `json:"sources,omitempty"`

	line  string   // Command without its shell, "" for a list
	shell []string // nil for none
}

// Each makes one task a line: of a file of the submitting machine, or of the
// list that stands in the document.
type Each struct {
	File  string
	Lines []string
}

// MarshalJSON writes the form that Parse reads: a string for a file, or a list.
func (e Each) MarshalJSON() ([]byte, error) {
	if e.File != "" {
		return json.Marshal(e.File)
	}
	return json.Marshal(e.Lines)
}

// DocFrom names a stage that another stage reads.
type DocFrom struct {
	Stage string `json:"stage"`
	By    string `json:"by,omitempty"` // ByAll and so on; "" for ByAll, of one task
}

// RecordCSV is the value of DocStage.Record for records that may hold line ends in quotes.
const RecordCSV = "csv"

// Values of DocFrom.By.
const (
	ByAll       = "all"       // each task reads all files of all tasks
	ByPartition = "partition" // task p reads the files named part-<p> of every task
	ByTask      = "task"      // task i reads what task i wrote
)

// Duration is a time.Duration that JSON holds as text, such as "1m30s".
type Duration time.Duration

// MarshalText writes the form that Parse reads.
func (d Duration) MarshalText() ([]byte, error) {
	return []byte(time.Duration(d).String()), nil
}

// JSON returns the document as it is sent, once its inputs are filled in. All its texts must be UTF-8: lists
// of splits that are sent beside it may have any bytes (Splits, FillList).
func (d *Doc) JSON() ([]byte, error) {
	if at, text, found := notText(reflect.ValueOf(d), ""); found {
		return nil, d.Errorf(at, "%q is not UTF-8, so the document cannot carry it", text)
	}
	return json.Marshal(d)
}
