package sum

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"lull/hostctl/recede"
)

// failure begins the answer for a file that could not be hashed.
const failure = "error: "

// Main answers paths from its standard input until that ends, and returns the exit
// status. Its arguments are those that Start appends to Config.Command.
func Main(args []string) int {
	if in := parseGroups(args); in.Unified != "" || len(in.Joins) > 0 {
		return runInBackground(os.Args[1:len(os.Args)-len(args)], in)
	}
	background()
	paths := make(chan string)
	go hash(paths)
	lines := bufio.NewReader(os.Stdin)
	for {
		path, err := lines.ReadString('\n')
		if err != nil {
			return 0 // at once: no caller waits for the file under way either
		}
		paths <- strings.TrimSuffix(path, "\n")
	}
}

// hash writes the answers. If a write fails, the agent is gone and asks for nothing more.
func hash(paths <-chan string) {
	buffer := make([]byte, 1<<20)
	for path := range paths {
		line, err := one(path, buffer)
		if err != nil {
			line = failure + strconv.QuoteToGraphic(err.Error())
		}
		_, _ = fmt.Println(line)
	}
}

func one(path string, buffer []byte) (line string, err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // read only
	h := sha256.New()
	size, err := io.CopyBuffer(h, struct{ io.Reader }{f}, buffer)
	return fmt.Sprintf("%d %x", size, h.Sum(nil)), err
}

// background does for each thread what cgroups do not. The thread yields the disk to all others,
// and the CPU where no group is of the background. Where the kernel refuses, the process continues
// without.
func background() {
	recede.Session()
	threads, _ := os.ReadDir("/proc/self/task")
	for _, t := range threads {
		if id, err := strconv.Atoi(t.Name()); err == nil {
			_ = errors.Join(recede.CPU(id), recede.Disk(id))
		}
	}
}
