package doctor

import (
	"errors"
	"fmt"

	"lull/monitor/waits"
)

// checkSensor opens the sensor of the primary's waits for a moment. It reports whether waits can
// be measured here, and whether threads that wait behind each other can be seen and so be moved.
func checkSensor() (c Check) {
	c.What = "primary waits"
	sensor, err := waits.Open(waits.Config{})
	if err != nil {
		c.Text = fmt.Sprintf("not measured: the guard leaves CPU to the idle class, and an unpinned primary's tail may double (%v)", err)
		return c
	}
	records, bell, err := sensor.Share()
	if err == nil {
		err = errors.Join(records.Close(), bell.Close())
		c.OK, c.Text = true, "measured by eBPF; its threads that wait behind each other are moved (--spread)"
	} else {
		c.Text = fmt.Sprintf("measured as a whole; its threads that wait behind each other are moved only if its cgroups are named by --primary (%v)", err)
	}
	if err = errors.Join(err, sensor.Close()); err != nil && c.OK {
		c.OK, c.Text = false, err.Error()
	}
	return c
}
