package doctor

import (
	"strings"
	"testing"
)

func TestDoctorSaysWhetherThreadsThatWaitAreSeen(t *testing.T) {
	c := checkSensor()
	if c.OK != strings.Contains(c.Text, "eBPF; its threads") || !strings.Contains(c.Text, "measured") {
		t.Errorf("checkSensor() = %+v, want OK only with eBPF, and what is measured", c)
	}
}
