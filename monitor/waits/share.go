package waits

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// Cores begins to look at single CPUs. The error is ErrNoSensor if the sensor does
// not see them. Close what it returns.
func (s *Sensor) Cores() (*Cores, error) {
	records, bell, err := s.Share()
	if err != nil {
		return nil, err
	}
	return OpenCores(records, bell)
}

// Share opens the files by which another process can look at single CPUs: OpenCores takes them,
// there or here. The sensor must stay open meanwhile. The error is ErrNoSensor if it does not see
// them.
func (s *Sensor) Share() (records, bell *os.File, err error) {
	t, ok := s.source.(*tracer)
	if !ok {
		return nil, nil, fmt.Errorf("single CPUs: %w", ErrNoSensor)
	}
	if !inInitPIDNamespace() {
		return nil, nil, fmt.Errorf("thread ids in this container differ from the kernel's: %w", ErrNoSensor)
	}
	if records, err = shareMap(t.records); err != nil {
		return nil, nil, err
	}
	if bell, err = shareMap(t.bell); err != nil {
		return nil, nil, errors.Join(err, records.Close())
	}
	return records, bell, nil
}

// shareMap returns a map as a file of its own.
func shareMap(m *ebpf.Map) (*os.File, error) {
	fd, err := unix.FcntlInt(uintptr(m.FD()), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("share the map %v: %w", m, err)
	}
	return os.NewFile(uintptr(fd), m.String()), nil
}

// inInitPIDNamespace reports whether threads have the numbers here that they have
// for the kernel's programs.
func inInitPIDNamespace() bool {
	const first = 0xEFFFFFFC // PROC_PID_INIT_INO
	var stat unix.Stat_t
	return unix.Stat("/proc/self/ns/pid", &stat) == nil && stat.Ino == first
}

// OpenCores opens the CPUs' records from the files that Share returned, and takes these over. It
// maps them into memory itself: package ebpf would copy what it reads, and words that are loaded
// whole need no copy.
func OpenCores(records, ring *os.File) (_ *Cores, err error) {
	defer func() { err = errors.Join(err, records.Close()) }()
	cpus, err := ebpf.PossibleCPU()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("number of CPUs: %w", err), ring.Close())
	}
	page := unix.Getpagesize()
	size := (cpus*recordSize + page - 1) / page * page
	bytes, err := unix.Mmap(int(records.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("map the records of the CPUs: %w", err), ring.Close())
	}
	words := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(bytes))), size/8)
	bell, err := openBell(ring)
	if err != nil {
		return nil, errors.Join(err, unix.Munmap(bytes))
	}
	return &Cores{words, cpus, bytes, bell}, nil
}
