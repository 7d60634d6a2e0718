package steering

import "fmt"

// Length is how long a job runs from its first start to its end, in three sorts. A job that
// has not run before is medium.
type Length uint8

// The lengths.
const (
	Medium Length = iota
	Short
	Long

	lengths = 3
)

var lengthNames = [lengths]string{"medium", "short", "long"}

// String is the length's word.
func (l Length) String() string {
	if l < lengths {
		return lengthNames[l]
	}
	return fmt.Sprintf("length %d", uint8(l))
}

// Thresholds part the lengths, in seconds.
type Thresholds struct {
	Short float64 // shorter jobs are short
	Long  float64 // jobs that run as long as this are long
}

// Testbed are the thresholds of the paper's testbed (section 6.1). They hold until enough jobs
// have ended here: see Past.
var Testbed = Thresholds{Short: 173, Long: 433}

// Length sorts a job by its last run, in seconds. Without one (0 or less, or NaN) it is medium.
func (t Thresholds) Length(last float64) Length {
	switch {
	case !(last > 0):
		return Medium
	case last < t.Short:
		return Short
	case last >= t.Long:
		return Long
	default:
		return Medium
	}
}
