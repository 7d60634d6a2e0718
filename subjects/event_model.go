package subjects

// What was learnt of tasks.

// Fitted is a completion-time model, TCT(r) = A·e^(B·r) + C·e^(D·r) seconds at
// residual r (MIMP, equation 1), with its quality. Each stage of a job has a
// model of its own: see spec.Job.Model.
type Fitted struct {
	Type    string  `msgpack:"-"` // the model's name
	A       float64 `msgpack:"a"`
	B       float64 `msgpack:"b"`
	C       float64 `msgpack:"c"`
	D       float64 `msgpack:"d"`
	NRMSE   float64 `msgpack:"nrmse"` // RMSE over the observed range (equation 9)
	Samples uint32  `msgpack:"samples"`
	// Over and Under are the shares of samples predicted too long and too short. OverBy and UnderBy
	// are their mean errors, as a share of the observed time.
	Over    float64 `msgpack:"over"`
	Under   float64 `msgpack:"under"`
	OverBy  float64 `msgpack:"over_by,omitempty"`
	UnderBy float64 `msgpack:"under_by,omitempty"`
	// Fast and Slow are the tenth and ninetieth percentile of the time
	// observed over the time predicted; 0 when unknown.
	Fast float64 `msgpack:"fast,omitempty"`
	Slow float64 `msgpack:"slow,omitempty"`
	// Size is the input, in bytes a task, that the model is for, 0 when its
	// tasks read nothing. A task of s bytes takes Fixed + (1−Fixed)·s/Size of
	// the model's time.
	Size  float64 `msgpack:"size,omitempty"`
	Fixed float64 `msgpack:"fixed,omitempty"`
	// Least and Most bound the inputs seen, in bytes a task; 0 when unknown.
	Least float64 `msgpack:"least,omitempty"`
	Most  float64 `msgpack:"most,omitempty"`
	// Read90 is the ninetieth percentile of what a task on an idle core reads,
	// in bytes/s (MIMP, equation 5).
	Read90 float64 `msgpack:"read90,omitempty"`
	// Gives is how many bytes the tasks give to their readers for each byte that they read, 0 when they
	// read nothing, or it is unknown. Yield is what a task gives, in bytes.
	Gives float64 `msgpack:"gives,omitempty"`
	Yield float64 `msgpack:"yield,omitempty"`
	// Fetch is how fast tasks of the pool, of all models, fetch the outputs of earlier stages from other
	// hosts, in bytes/s; 0 while that is unknown.
	Fetch float64 `msgpack:"fetch,omitempty"`
	// Drift means that the latest tasks followed no model. A is then a time on an idle core that
	// covers nine in ten of them, and work counts as conserved.
	Drift bool `msgpack:"drift,omitempty"`
	// Low and High bound the residuals seen: beyond them the model extrapolates.
	Low  float64 `msgpack:"low"`
	High float64 `msgpack:"high"`
}

// Identified is how a stage's tasks follow their CPU cap, as a host identified it: T(k) =
// A·T(k−1) + B·C(k−1), T in bytes/s, C in cores (Park and Humphrey, equation 1).
type Identified struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	Fact
	// Model is the model's name, "" if the host did not know the job. By it the host finds the
	// model again when the job is gone.
	Model   string  `msgpack:"model,omitempty"`
	A       float64 `msgpack:"a"`
	B       float64 `msgpack:"b"`
	R2      float64 `msgpack:"r2"`      // share of the variance that the model explains
	Sample  float64 `msgpack:"sample"`  // seconds between two samples
	Samples uint32  `msgpack:"samples"` // used, noisy cycles left out
	// Refused is why the model is not to be used, "" if it may be.
	Refused string `msgpack:"refused,omitempty"`
}
