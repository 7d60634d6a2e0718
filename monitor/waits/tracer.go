package waits

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"
)

// maxThreads is the most threads of the primary that are followed. They take 2 MB of the kernel's memory
// in all. Further threads are not measured.
const maxThreads = 1 << 15

// tracer is the eBPF sensor.
type tracer struct {
	records, entries *ebpf.Map
	machine, bell    *ebpf.Map
	memory           *ebpf.Memory // of records
	links            []link.Link
	copied           []byte
	cpus             int
}

func openTracer(cfg Config) (_ source, err error) {
	if filepath.Clean(cfg.Root) != "/" {
		return nil, fmt.Errorf("%s is not the root of the running kernel", cfg.Root)
	}
	threads := members{own: int32(cfg.Own)}
	if threads.batch, err = cgroupIDs(cfg.Batch); err != nil {
		return nil, err
	}
	if threads.primary, err = cgroupIDs(cfg.Primary); err != nil {
		return nil, err
	}
	if threads.layout, err = readLayout(); err != nil {
		return nil, err
	}
	t := &tracer{}
	if err := t.open(threads); err != nil {
		return nil, errors.Join(err, t.close())
	}
	return t, nil
}

func (t *tracer) open(threads members) (err error) {
	cpus, err := ebpf.PossibleCPU()
	if err != nil {
		return fmt.Errorf("number of CPUs: %w", err)
	}
	if t.records, err = ebpf.NewMap(&ebpf.MapSpec{
		Name: "lull_records", Type: ebpf.Array, KeySize: 4, ValueSize: recordSize, MaxEntries: uint32(cpus),
		Flags: mmapable,
	}); err != nil {
		return fmt.Errorf("create an eBPF map (this needs root, or CAP_BPF and CAP_PERFMON): %w", err)
	}
	if t.entries, err = ebpf.NewMap(&ebpf.MapSpec{
		Name: "lull_waits", Type: ebpf.Hash, KeySize: 4, ValueSize: entrySize, MaxEntries: maxThreads,
	}); err != nil {
		return fmt.Errorf("create an eBPF map: %w", err)
	}
	if t.machine, err = ebpf.NewMap(&ebpf.MapSpec{
		Name: "lull_machine", Type: ebpf.Array, KeySize: 4, ValueSize: machineSize, MaxEntries: 1,
	}); err != nil {
		return fmt.Errorf("create an eBPF map: %w", err)
	}
	if t.bell, err = ebpf.NewMap(&ebpf.MapSpec{Name: "lull_bell", Type: ebpf.RingBuf, MaxEntries: uint32(bellSize)}); err != nil {
		return fmt.Errorf("create an eBPF ring buffer: %w", err)
	}
	if t.memory, err = t.records.Memory(); err != nil {
		return err
	}
	t.copied, t.cpus = make([]byte, cpus*recordSize), cpus
	return t.attach(maps{t.records.FD(), t.entries.FD(), t.machine.FD(), t.bell.FD()}, threads)
}

// mmapable makes a map's memory readable here without a system call.
const mmapable = 1 << 10 // BPF_F_MMAPABLE

// attach attaches the program for wake-ups before that for switches, so that each switch can settle the
// entry that a wake-up made. A wait without an entry is not measured.
func (t *tracer) attach(m maps, threads members) error {
	woken := m.woken(threads)
	for _, at := range []struct {
		name string
		code asm.Instructions
	}{{"sched_wakeup", woken}, {"sched_wakeup_new", woken}, {"sched_switch", m.switched(threads)}} {
		program, err := ebpf.NewProgram(&ebpf.ProgramSpec{
			Name: "lull_" + at.name, Type: ebpf.Tracing, AttachType: ebpf.AttachTraceRawTp, AttachTo: at.name,
			Instructions: at.code, License: "GPL",
		})
		if err != nil {
			return fmt.Errorf("program for %s: %w", at.name, err)
		}
		l, err := link.AttachTracing(link.TracingOptions{Program: program, AttachType: ebpf.AttachTraceRawTp})
		if err = errors.Join(err, program.Close()); err != nil { // the link keeps it
			return fmt.Errorf("attach to %s: %w", at.name, err)
		}
		t.links = append(t.links, l)
	}
	return nil
}

func (t *tracer) read() (Reading, error) {
	if err := t.copy(); err != nil {
		return Reading{}, err
	}
	r := sumRecords(t.copied, clock())
	r.Name = "eBPF"
	return r, nil
}

func (t *tracer) copy() error {
	if t.memory == nil {
		return errors.New("the sensor is closed")
	}
	if _, err := t.memory.ReadAt(t.copied, 0); err != nil {
		return fmt.Errorf("records of the CPUs: %w", err)
	}
	return nil
}

func (t *tracer) histogram() (Histogram, bool) {
	if err := t.copy(); err != nil {
		return Histogram{}, false
	}
	return delays(t.copied), true
}

func (t *tracer) close() (err error) {
	t.memory = nil
	for _, l := range t.links {
		err = errors.Join(err, l.Close())
	}
	for _, m := range []*ebpf.Map{t.records, t.entries, t.machine, t.bell} {
		if m != nil {
			err = errors.Join(err, m.Close())
		}
	}
	return err
}
