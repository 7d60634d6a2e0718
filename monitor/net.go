package monitor

import "lull/subjects"

func newNet(f *files) *metered {
	return &metered{devices: f.interfaces, apply: func(u *subjects.Usage, in, out float64) {
		u.NetIn, u.NetOut = in, out
	}}
}

// interfaces lists the counters of the hardware interfaces. Bridges, bonds and
// the ends of containers carry the same bytes again. In a container, where no
// interface is hardware, all but the loopback count.
func (f *files) interfaces() (map[string]counters, error) {
	stats, err := f.proc.NetDev()
	if err != nil {
		return nil, err
	}
	all, hardware := make(map[string]counters), make(map[string]counters)
	for name, line := range stats {
		if name == "lo" {
			continue
		}
		all[name] = counters{line.RxBytes, line.TxBytes}
		if f.has("class", "net", name, "device") {
			hardware[name] = all[name]
		}
	}
	if len(hardware) > 0 {
		return hardware, nil
	}
	return all, nil
}
