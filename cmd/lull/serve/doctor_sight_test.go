package serve

import (
	"strings"
	"testing"
)

func TestDoctorSaysWhetherThreadsThatWaitAreSeen(t *testing.T) {
	c := sight()
	if c.OK != strings.Contains(c.Text, "eBPF; its threads") || !strings.Contains(c.Text, "measured") {
		t.Errorf("%+v", c)
	}
}
