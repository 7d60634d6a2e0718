package monitor

import (
	"os"
	"path/filepath"
	"testing"
)

// host is a host of two CPUs with a disk, a partition, a loop device and a mapped device over the
// disk; hardware, loopback and container interfaces; PSI.
var host = map[string]string{
	// user nice system idle iowait irq softirq steal guest guest_nice, in 1/100 s
	"proc/stat": `cpu  1000 200 300 90000 400 50 50 700 600 100
cpu0 500 100 150 45000 200 25 25 350 300 50
cpu1 500 100 150 45000 200 25 25 350 300 50
intr 12345 0 0
ctxt 1
btime 1700000000
processes 1
procs_running 1
procs_blocked 0
softirq 10 1 1 1 1 1 1 1 1 1 1
`,
	"proc/meminfo":                     "MemTotal:        8000 kB\nMemFree:         1000 kB\nMemAvailable:    3000 kB\n",
	"proc/pressure/cpu":                "some avg10=12.50 avg60=0.00 avg300=0.00 total=1\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
	"proc/pressure/memory":             "some avg10=1.00 avg60=0.00 avg300=0.00 total=1\nfull avg10=0.50 avg60=0.00 avg300=0.00 total=1\n",
	"proc/pressure/io":                 "some avg10=50.00 avg60=0.00 avg300=0.00 total=1\nfull avg10=9.00 avg60=0.00 avg300=0.00 total=1\n",
	"proc/diskstats":                   diskstats(1000, 2000),
	"proc/net/dev":                     netDev(1000, 2000),
	"sys/block/sda/size":               "1\n",
	"sys/block/loop0/size":             "1\n",
	"sys/block/dm-0/size":              "1\n",
	"sys/class/net/eth0/device/vendor": "0x1af4\n",
	"sys/class/net/lo/mtu":             "65536\n",
	"sys/class/net/veth1/mtu":          "1500\n",
}

// diskstats gives every device the same sectors read and written.
func diskstats(read, written int) string {
	text := ""
	for i, name := range []string{"sda", "sda1", "loop0", "dm-0"} {
		text += line("   8 %d %s 10 0 %d 5 10 0 %d 5 0 5 10\n", i, name, read, written)
	}
	return text
}

// netDev gives every interface the same bytes in and out.
func netDev(in, out int) string {
	text := "Inter-|   Receive                                                |  Transmit\n" +
		" face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed\n"
	for _, name := range []string{"lo", "eth0", "veth1"} {
		text += line("%6s: %d 1 0 0 0 0 0 0 %d 1 0 0 0 0 0 0\n", name, in, out)
	}
	return text
}

// tree writes a host's files, less some, into a new folder.
func tree(t *testing.T, files map[string]string, without ...string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		put(t, root, name, text)
	}
	for _, name := range without {
		if err := os.RemoveAll(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
