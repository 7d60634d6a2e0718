package monitor

import (
	"strings"

	"lull/subjects"
)

// sector is the unit of diskstats, whatever the device's own sectors are.
const sector = 512

func newDisk(f *files) *metered {
	return &metered{devices: f.disks, apply: func(u *subjects.Usage, in, out float64) {
		u.DiskRead, u.DiskWrite = in, out
	}}
}

// disks lists the counters of whole devices that store something themselves.
func (f *files) disks() (map[string]counters, error) {
	stats, err := f.block.ProcDiskstats()
	if err != nil {
		return nil, err
	}
	disks := make(map[string]counters)
	for _, d := range stats {
		if f.wholeDisk(d.DeviceName) {
			disks[d.DeviceName] = counters{d.ReadSectors * sector, d.WriteSectors * sector}
		}
	}
	return disks, nil
}

// wholeDisk leaves out partitions, which have no folder in sys/block, block devices in memory, and
// devices built from others: their bytes would be counted twice.
func (f *files) wholeDisk(name string) bool {
	for _, prefix := range [...]string{"loop", "ram", "zram", "dm-", "md"} {
		if strings.HasPrefix(name, prefix) {
			return false
		}
	}
	return f.has("block", strings.ReplaceAll(name, "/", "!"))
}
