package models

import (
	"fmt"
	"io"

	"lull/cmd/lull/commands/listing"
	"lull/hostctl/pace"
	"lull/subjects/humane"
)

// identified is what `lull identify` prints.
type identified struct {
	A             float64 `json:"a"`
	B             float64 `json:"b"`
	R2            float64 `json:"r2"`
	Samples       int     `json:"samples"`
	Sample        float64 `json:"sample_seconds"`
	Steady        float64 `json:"steady_bytes_s"`
	Kp            float64 `json:"kp"`
	Ki            float64 `json:"ki"`
	Settling      int     `json:"settling_samples"`
	SettlingWorst int     `json:"settling_worst_samples"`
	Capped        string  `json:"capped_by"`
	Refused       string  `json:"refused,omitempty"`
}

func identifiedOf(l *pace.Learnt, how string) *identified {
	m := l.Model
	f := &identified{R2: m.R2, Samples: m.Samples, Sample: pace.Sample.Seconds(), Capped: how, Refused: l.Refused}
	gains, err := pace.GainsFor(m, pace.Robust)
	if err != nil {
		return f // the refusal says why; such figures mean nothing
	}
	f.A, f.B, f.Steady = m.A, m.B, m.Steady(1)
	f.Kp, f.Ki, f.Settling, f.SettlingWorst = gains.Kp, gains.Ki, gains.Settling, gains.SettlingWorst
	return f
}

func (f *identified) print(w io.Writer, format listing.Format) error {
	if format == listing.JSON {
		return listing.Object(w, f)
	}
	if f.Refused != "" && f.Settling == 0 {
		return nil // the error says all there is
	}
	_, err := io.WriteString(w, f.page())
	return err
}

func (f *identified) page() string {
	const mb = 1e6
	return fmt.Sprintf(`model      T(k) = %.3f·T(k−1) + %.4g·C(k−1)   MB/s, cores, every %s
fit        R² = %.3f over %d samples (%.2f is needed)
one core   %.4g MB/s, once it has settled
gains      Kp = %.3g, Ki = %.3g cores per MB/s
settling   %d samples (%s); %d where the model is off by as much as ± 0.2 in a and a factor of 2 in b
capped by  %s
`,
		f.A, f.B/mb, humane.Seconds(f.Sample), f.R2, f.Samples, pace.LeastR2, f.Steady/mb, f.Kp*mb, f.Ki*mb,
		f.Settling, humane.Seconds(float64(f.Settling)*f.Sample), f.SettlingWorst, f.Capped)
}
