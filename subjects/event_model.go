package subjects

// What was learnt of tasks.

// Fitted is a completion-time model, TCT(r) = A·e^(B·r) + C·e^(D·r) seconds at
// residual r (MIMP, equation 1), with its quality. Each stage of a job has a
// model of its own.
type Fitted struct {
	Type    string  `msgpack:"-"`                  // the model's name
	A       float64 `msgpack:"a"`                  // of the formula, in seconds
	B       float64 `msgpack:"b"`                  // of the formula
	C       float64 `msgpack:"c"`                  // of the formula, in seconds
	D       float64 `msgpack:"d"`                  // of the formula
	NRMSE   float64 `msgpack:"nrmse"`              // root mean square error over the observed range (MIMP, equation 9)
	Samples uint32  `msgpack:"samples"`            // tasks that it was fitted to
	Over    float64 `msgpack:"over"`               // share of samples predicted too long
	Under   float64 `msgpack:"under"`              // share of samples predicted too short
	OverBy  float64 `msgpack:"over_by,omitempty"`  // mean error of the samples predicted too long, as a share of the observed time
	UnderBy float64 `msgpack:"under_by,omitempty"` // mean error of the samples predicted too short, likewise
	// Fast is the tenth percentile of the time observed over the time predicted; 0 when unknown.
	Fast float64 `msgpack:"fast,omitempty"`
	// Slow is the ninetieth percentile of the same; 0 when unknown.
	Slow float64 `msgpack:"slow,omitempty"`
	// Size is the input, in bytes a task, that the model is for; 0 when its tasks read nothing. A task
	// of s bytes takes Fixed + (1−Fixed)·s/Size of the model's time.
	Size  float64 `msgpack:"size,omitempty"`
	Fixed float64 `msgpack:"fixed,omitempty"` // share of the time that does not depend on the input's size
	Least float64 `msgpack:"least,omitempty"` // smallest input seen, in bytes a task; 0 when unknown
	Most  float64 `msgpack:"most,omitempty"`  // largest input seen, in bytes a task; 0 when unknown
	// Read90 is the ninetieth percentile of what a task on an idle core reads,
	// in bytes/s (MIMP, equation 5).
	Read90 float64 `msgpack:"read90,omitempty"`
	// Gives is how many bytes a task leaves for later stages for each byte that it reads; 0 when it
	// reads nothing or this is unknown.
	Gives float64 `msgpack:"gives,omitempty"`
	Yield float64 `msgpack:"yield,omitempty"` // bytes that a task leaves for later stages
	// Fetch is how fast tasks of the pool, of all models, fetch the outputs of earlier stages from other
	// hosts, in bytes/s; 0 while that is unknown.
	Fetch float64 `msgpack:"fetch,omitempty"`
	// Drift means that the latest tasks followed no model. A is then a time on an idle core that covers
	// nine in ten of them, and their work is taken to be the same at every residual.
	Drift bool `msgpack:"drift,omitempty"`
	// Low is the lowest residual seen. Below it the model extrapolates.
	Low float64 `msgpack:"low"`
	// High is the highest residual seen. Above it the model extrapolates.
	High float64 `msgpack:"high"`
}

// FewSamples is how many tasks a model must have seen for its shape and its quality to mean something.
const FewSamples = 5

// Few reports whether the model is a first guess by fewer tasks than FewSamples. A verdict that such a
// model would have rejected is given after a trial, as it is without a model.
func (f *Fitted) Few() bool { return f.Samples > 0 && f.Samples < FewSamples }

// Identified is how a stage's tasks follow their CPU cap, as a host identified it: T(k) =
// A·T(k−1) + B·C(k−1), T in bytes/s, C in cores (Park and Humphrey, equation 1).
type Identified struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	Fact
	// Model is the model's name, "" if the host did not know the job. By it the host finds the
	// model again when the job is gone.
	Model   string  `msgpack:"model,omitempty"`
	A       float64 `msgpack:"a"`       // of the formula
	B       float64 `msgpack:"b"`       // of the formula, in bytes/s a core
	R2      float64 `msgpack:"r2"`      // share of the variance that the model explains
	Sample  float64 `msgpack:"sample"`  // seconds between two samples
	Samples uint32  `msgpack:"samples"` // used ones: noisy cycles are left out
	// Refused is why the model is not to be used, "" if it may be.
	Refused string `msgpack:"refused,omitempty"`
}
