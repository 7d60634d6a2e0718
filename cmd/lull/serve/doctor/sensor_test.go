package doctor

import (
	"strings"
	"testing"
)

func TestDoctorSaysWhetherThreadsThatWaitAreSeen(t *testing.T) {
	c := checkSensor()
	if c.OK != strings.Contains(c.Text, "eBPF; its threads") || !strings.Contains(c.Text, "measured") {
		t.Errorf("%+v", c)
	}
}
