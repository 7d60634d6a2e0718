package doctor

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Fact is something about the machine that bears on the primary's tail, though
// lull cannot change it.
type Fact struct {
	What string `json:"what"`
	// Good means that, as far as the doctor can know, it does not lengthen the tail.
	Good bool   `json:"good"`
	Text string `json:"text"`
}

// kernelFacts are the preemption model and the hardware threads of the host
// below root.
func kernelFacts(root string) []Fact {
	return []Fact{preemptionFact(preemption(root)), siblingsFact(root)}
}

// What a model of preemption means for the primary while batch is in the kernel.
const (
	preemptSlow = ": a task in a long system call (fork, exec, large reads) keeps its core until the call yields, " +
		"up to milliseconds; boot with preempt=full where the kernel allows it"
	preemptFast = ": the primary gets its core back even from a task in a system call"
)

func preemptionFact(model string) Fact {
	switch model {
	case "none", "voluntary", "none or voluntary":
		return Fact{"preemption", false, model + preemptSlow}
	case "lazy":
		return Fact{"preemption", false, model + preemptSlow + " (idle-class tasks, too, may run on until the next tick)"}
	case "full", "rt":
		return Fact{"preemption", true, model + preemptFast}
	}
	return Fact{"preemption", false, "unknown: neither debugfs nor the kernel's configuration can be read; preempt=full shortens delays by tasks that fork and exec"}
}

// preemption returns the kernel's model: none, voluntary, lazy, full or rt, or "" if it is unknown.
// A dynamic kernel shows it in debugfs, for root where that is mounted. Otherwise it is the model
// of the command line, or the built-in one.
func preemption(root string) string {
	if b, err := os.ReadFile(filepath.Join(root, "sys/kernel/debug/sched/preempt")); err == nil {
		_, rest, _ := strings.Cut(string(b), "(")
		model, _, _ := strings.Cut(rest, ")")
		return model
	}
	version, _ := os.ReadFile(filepath.Join(root, "proc/sys/kernel/version"))
	switch words := strings.Fields(string(version)); {
	case slices.Contains(words, "PREEMPT_RT"):
		return "rt"
	case slices.Contains(words, "PREEMPT_DYNAMIC"):
		return dynamic(root)
	case slices.Contains(words, "PREEMPT"):
		return "full"
	case slices.Contains(words, "PREEMPT_LAZY"):
		return "lazy"
	case len(words) == 0:
		return ""
	}
	return "none or voluntary"
}

// dynamic is the model of a kernel that can change it while it runs.
func dynamic(root string) string {
	cmdline, _ := os.ReadFile(filepath.Join(root, "proc/cmdline"))
	for _, word := range strings.Fields(string(cmdline)) {
		if model, ok := strings.CutPrefix(word, "preempt="); ok {
			return model
		}
	}
	built := builtIn.FindSubmatch(configuration(root))
	if built == nil {
		return ""
	}
	model := strings.ToLower(strings.TrimPrefix(string(built[1]), "_"))
	if model == "" {
		return "full"
	}
	return model
}

var builtIn = regexp.MustCompile(`(?m)^CONFIG_PREEMPT(|_NONE|_VOLUNTARY|_LAZY)=y$`)

// configuration is what the kernel was built with; nil where it is kept nowhere.
func configuration(root string) []byte {
	if packed, err := os.ReadFile(filepath.Join(root, "proc/config.gz")); err == nil {
		r, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil
		}
		text, _ := io.ReadAll(io.LimitReader(r, 4<<20)) // it has 0.2 MB; what a broken rest lacks, is lacking
		return text
	}
	release, _ := os.ReadFile(filepath.Join(root, "proc/sys/kernel/osrelease"))
	text, _ := os.ReadFile(filepath.Join(root, "boot/config-"+strings.TrimSpace(string(release))))
	return text
}

// siblingsFact says whether cores share hardware: two hardware threads of one
// core slow one another down whatever the scheduler does.
func siblingsFact(root string) Fact {
	lists, _ := filepath.Glob(filepath.Join(root, "sys/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list"))
	for _, path := range lists {
		b, _ := os.ReadFile(path)
		if list := strings.TrimSpace(string(b)); strings.ContainsAny(list, ",-") {
			return Fact{"whole cores", false, "hardware threads share cores (" + list +
				" are one): a task on one of them slows the primary on the other, and priorities do not help"}
		}
	}
	cpu, _ := os.ReadFile(filepath.Join(root, "proc/cpuinfo"))
	switch {
	case len(lists) == 0:
		return Fact{"whole cores", false, "unknown: the kernel shows no topology"}
	case bytes.Contains(cpu, []byte(" hypervisor")):
		return Fact{"whole cores", true, "each core is one hardware thread; on a virtual machine two cores may still share one of the machine below"}
	}
	return Fact{"whole cores", true, "each has one hardware thread"}
}
