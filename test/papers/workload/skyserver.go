package workload

import (
	"fmt"
	"time"

	"lull/sim"
	"lull/subjects/spec"
)

// SkyServer is the job of Park and Humphrey's section 6.3, as far as the paper describes it: 11
// stages, most of them parallel, 72 tasks on 8 compute nodes. The rest is declared here: stages
// follow one another; eight are as wide as the nodes, one is nearly so, two are serial mergers of a
// few seconds.
type SkyServer struct {
	// Nodes is how many of the paper's four compute nodes' worth the cluster has: 1
	// is four nodes. Wide stages have as many times more tasks.
	Nodes int
}

const (
	// skySpeed is what one task reads on its virtual machine. Eight of them read 72 MB/s: with it
	// one job alone takes about the 405 s of the paper's exclusive cluster, and two jobs want more
	// than the 100 MB/s of its disks.
	skySpeed = 9e6
	// skyWide and skyMerged are inputs of a task, in bytes.
	skyWide, skyMerged = 400e6, 80e6
	// DiskSpeed is what the disks of four nodes read in all: 25 MB/s each.
	DiskSpeed = 100e6
	// Disks is the name of all disks together.
	Disks = "nfs:disks"
)

// skyTasks are the tasks of each stage, of four nodes: eight parallel workers a
// stage, two of eight virtual machines a queue.
var skyTasks = []int{8, 8, 8, 1, 8, 8, 8, 8, 6, 8, 1}

// Job is one submission to a queue.
func (s SkyServer) Job(queue string) spec.Job {
	job := spec.Job{Name: "skyserver", Type: "skyserver", Queue: queue}
	for i, n := range skyTasks {
		bytes := float64(skyMerged)
		if n > 1 {
			bytes, n = skyWide, n*s.Nodes
		}
		st := spec.Stage{
			Name: fmt.Sprintf("s%d", i+1), Tasks: uint32(n), CPU: 1, Memory: 256 << 20, Retries: 3,
			Bytes: int64(bytes), Estimate: time.Duration(bytes / skySpeed * 1e9), Sources: []string{Disks},
		}
		if i > 0 {
			st.After = []uint32{uint32(i - 1)}
		}
		job.Stages = append(job.Stages, st)
	}
	return job
}

// Truths returns how long its tasks take: in proportion to the CPU that they get, with 5 % of
// variance, as Table 1's R² of 0.85 and more leaves of noise.
func (s SkyServer) Truths() (types []sim.Truth) {
	job := s.Job("")
	for i := range job.Stages {
		seconds := float64(job.Stages[i].Bytes) / skySpeed
		types = append(types, sim.Truth{
			Type: job.Model(i), Points: []sim.Point{{Residual: 1, Seconds: seconds}}, Noise: 0.05, Read: skySpeed,
		})
	}
	return types
}

// Hosts are its nodes, with four virtual machines each.
func (s SkyServer) Hosts() (hosts []sim.Host) {
	for i := range 4 * s.Nodes {
		hosts = append(hosts, sim.Host{Name: fmt.Sprintf("node-%03d", i+1), Cores: 4})
	}
	return hosts
}
