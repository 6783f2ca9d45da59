package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// machine describes where a run took place.
type machine struct {
	OS          string `json:"os"`
	Arch        string `json:"arch"`
	Kernel      string `json:"kernel"`
	CPU         string `json:"cpu"`
	CPUs        int    `json:"cpus"`
	MemoryKB    int64  `json:"memory_kb"`
	Descriptors uint64 `json:"descriptors"` // that one process may have
}

// versions of what was measured and what measured it.
type versions struct {
	Go        string            `json:"go"`
	Revision  string            `json:"revision"` // of the repository, "" where the build does not tell
	Modified  bool              `json:"modified"` // there were changes that are not in it
	Libraries map[string]string `json:"libraries"`
}

func thisMachine() machine {
	m := machine{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), Descriptors: raiseDescriptors()}
	m.Kernel = strings.TrimSpace(readText("/proc/sys/kernel/osrelease"))
	m.CPU = field(readText("/proc/cpuinfo"), "model name")
	memory, _, _ := strings.Cut(field(readText("/proc/meminfo"), "MemTotal"), " ")
	m.MemoryKB, _ = strconv.ParseInt(memory, 10, 64) // 0 where unknown
	return m
}

// readText is "" where there is no such file.
func readText(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(data)
}

// field is the first value of a "name : value" line.
func field(text, name string) string {
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func theseVersions() versions {
	v := versions{Go: runtime.Version(), Libraries: map[string]string{}}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, d := range info.Deps {
		if d.Path == "github.com/gorilla/websocket" || d.Path == "github.com/notnil/chess" {
			v.Libraries[d.Path] = d.Version
		}
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	if v.Revision == "" { // go run does not tell
		v.Revision, v.Modified = checkedOut()
	}
	return v
}

// checkedOut asks git what the working directory is; "" where it is no checkout.
func checkedOut() (revision string, modified bool) {
	head, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		return "", false
	}
	changes, err := exec.Command("git", "status", "--porcelain", "--untracked-files=no").Output()
	return strings.TrimSpace(string(head)), err != nil || len(changes) > 0
}

// raiseDescriptors lets the process have as many sockets as the system allows, and says how many those are.
func raiseDescriptors() uint64 {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil {
		return 0
	}
	l.Cur = l.Max
	_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &l) // what counts is what it is then
	_ = syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l)
	return uint64(l.Cur)
}

// spare are descriptors for everything but the players' sockets.
const spare = 100

// enoughDescriptors is an error when so many sockets cannot be open at once.
func enoughDescriptors(sockets int) error {
	have := raiseDescriptors()
	need := uint64(sockets + spare)
	if have == 0 || have >= need {
		return nil
	}
	return fmt.Errorf("%d sockets need %d descriptors and the system allows this process %d: raise the hard limit (ulimit -Hn) or ask for fewer games",
		sockets, need, have)
}

// idling is how long all CPUs of the machine together have idled up to a moment.
type idling struct {
	at   time.Time
	cpus int
	idle time.Duration
}

// busyTime is how all CPUs of the machine together have spent a time.
type busyTime struct {
	busy time.Duration // programs, the system, interrupts, stolen
	idle time.Duration
}

// readIdling reads /proc/stat; it has no CPUs where there is none. Only the idle time is taken from it: that is measured,
// while all else is counted by looking who runs at every tick, and programs that wake by timers run just then, or never.
func readIdling() (i idling) {
	for line := range strings.Lines(readText("/proc/stat")) {
		fields := strings.Fields(line)
		if len(fields) < 6 || !strings.HasPrefix(fields[0], "cpu") || fields[0] == "cpu" {
			continue
		}
		i.cpus++
		for _, f := range fields[4:6] { // idle, iowait
			ticks, err := strconv.ParseInt(f, 10, 64)
			if err != nil {
				return idling{}
			}
			i.idle += time.Duration(ticks) * clockTick
		}
	}
	i.at = time.Now()
	return i
}

func (i idling) since(before idling) (b busyTime) {
	b.idle = i.idle - before.idle
	b.busy = max(0, i.at.Sub(before.at)*time.Duration(i.cpus)-b.idle)
	return b
}

func (b busyTime) total() time.Duration { return b.busy + b.idle }

// ownCPU is the CPU time that this process has used.
func ownCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
