package serve

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

func init() {
	commands["filtered"] = filtered
	commands["probe"] = probe
}

// The service runs under the filters of system calls that the unit asks systemd
// for, with the socket that systemd passes also where it may open none of its
// own, and what a program under these filters tries is refused.
//
// The filters are made here as systemd makes them, because systemd itself must
// be the first process. What the unit asks for beside them (a read-only file
// system, IPAddressDeny, users) is not part of this test.
func TestUnitFilter(t *testing.T) {
	unit, err := os.ReadFile("../../../deploy/systemd/uncoil.service")
	if err != nil {
		t.Fatal(err)
	}
	families := []uint32{unix.AF_INET, unix.AF_INET6}
	if !bytes.Contains(unit, []byte("\nRestrictAddressFamilies=AF_INET AF_INET6\n")) {
		t.Fatal("the unit has other address families than this test")
	}
	allowed := unitCalls(t, string(unit))

	t.Run("service", func(t *testing.T) {
		r := servicePrepared(t, func(cmd *exec.Cmd) { underFilter(t, cmd, allowed, families) })
		if !strings.Contains(strings.Join(r.seen, ""), `"level":"INFO","msg":"sandbox","landlock"`) {
			t.Errorf("the log has %q", r.seen)
		}
		tryService(t, r)
	})
	t.Run("service with a socket of systemd", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		socket, err := l.(*net.TCPListener).File()
		if err != nil {
			t.Fatal(err)
		}
		defer socket.Close()
		r := servicePrepared(t, func(cmd *exec.Cmd) {
			cmd.ExtraFiles = []*os.File{socket}
			cmd.Env = append(os.Environ(), "LISTEN_FDS=1", "UNCOIL_ADDR=systemd")
			cmd.Args = slices.DeleteFunc(cmd.Args, func(arg string) bool { return arg == "-addr" || arg == "127.0.0.1:0" })
			underFilter(t, cmd, allowed, nil)
		})
		tryService(t, r)
	})
	t.Run("probe", func(t *testing.T) {
		cmd := exec.Command("probe")
		underFilter(t, cmd, allowed, families)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

// tryService sends what clients, operators and signals send.
func tryService(t *testing.T, r *running) {
	t.Helper()
	if code := r.convert(t, ""); code != 200 {
		t.Errorf("it answers %d", code)
	}
	if metrics := fetch(t, r.url+"/metrics"); !strings.Contains(metrics, "\nprocess_resident_memory_bytes ") {
		t.Error("the metrics have no memory of the process")
	}
	r.hangUp(t)
	r.logged(t, "SIGHUP is ignored")
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	r.logged(t, `"msg":"stopped"`)
}

// unitCalls returns the numbers of the system calls that the unit allows.
func unitCalls(t *testing.T, unit string) []uint32 {
	t.Helper()
	allowed := make(map[string]bool)
	set := func(names string, value bool) {
		for name := range strings.FieldsSeq(names) {
			for _, call := range callsOf(t, name) {
				allowed[call] = value
			}
		}
	}
	set("@default", true)
	for _, m := range regexp.MustCompile(`(?m)^SystemCallFilter=(~?)(.*)$`).FindAllStringSubmatch(unit, -1) {
		set(m[2], m[1] == "")
	}
	numbers := callNumbers(t)
	var calls []uint32
	for name, value := range allowed {
		if n, ok := numbers[name]; ok && value {
			calls = append(calls, n)
		}
	}
	slices.Sort(calls)
	return calls
}

// callsOf returns the system calls of a group of systemd, or the one that is
// named.
func callsOf(t *testing.T, name string) []string {
	if !strings.HasPrefix(name, "@") {
		return []string{name}
	}
	out, err := exec.Command("systemd-analyze", "syscall-filter", name).Output()
	if err != nil {
		t.Skip("systemd-analyze lists no groups of system calls: ", err)
	}
	var calls []string
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") || line == "" || line == name {
			continue
		}
		calls = append(calls, callsOf(t, line)...)
	}
	return calls
}

// callNumbers reads the numbers of system calls from the module that has them.
func callNumbers(t *testing.T) map[string]uint32 {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/sys").Output()
	if err != nil {
		t.Skip("go finds no source: ", err)
	}
	source, err := os.Open(filepath.Join(strings.TrimSpace(string(dir)), "unix", "zsysnum_linux_"+runtime.GOARCH+".go"))
	if err != nil {
		t.Skip(err)
	}
	defer source.Close()
	numbers := make(map[string]uint32)
	for lines := bufio.NewScanner(source); lines.Scan(); {
		var name string
		var n uint32
		if _, err := fmt.Sscanf(lines.Text(), "\tSYS_%s = %d", &name, &n); err == nil {
			numbers[strings.ToLower(name)] = n
		}
	}
	if len(numbers) < 300 {
		t.Fatalf("only %d numbers of system calls are known", len(numbers))
	}
	return numbers
}

// underFilter makes the command run under a filter that allows system calls
// and sockets of address families, and nothing that is writable to be executed.
func underFilter(t *testing.T, cmd *exec.Cmd, calls, families []uint32) {
	t.Helper()
	const (
		load  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		anyOf = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		mask  = unix.BPF_ALU | unix.BPF_AND | unix.BPF_K
		ret   = unix.BPF_RET | unix.BPF_K
		allow = 0x7fff0000 // SECCOMP_RET_ALLOW
		deny  = 0x00050000 // SECCOMP_RET_ERRNO, to which the number is added
		// Offsets in struct seccomp_data.
		number, argument = 0, 16 // the lower half of the first argument; they are 8 bytes long
	)
	var program []unix.SockFilter
	add := func(code uint16, k uint32, yes, no uint8) {
		program = append(program, unix.SockFilter{Code: code, Jt: yes, Jf: no, K: k})
	}
	add(load, number, 0, 0)
	n := uint8(len(families))
	add(equal, unix.SYS_SOCKET, 0, 3+n)
	add(load, argument, 0, 0)
	for i, family := range families {
		add(equal, family, n-uint8(i), 0)
	}
	add(ret, deny|uint32(unix.EAFNOSUPPORT), 0, 0)
	add(ret, allow, 0, 0)
	for _, call := range []uint32{unix.SYS_MMAP, unix.SYS_MPROTECT, unix.SYS_PKEY_MPROTECT} {
		wrong := uint32(unix.PROT_EXEC)
		if call == unix.SYS_MMAP {
			wrong |= unix.PROT_WRITE
		}
		add(equal, call, 0, 5)
		add(load, argument+2*8, 0, 0)
		add(mask, wrong, 0, 0)
		add(equal, wrong, 0, 1)
		add(ret, deny|uint32(unix.EPERM), 0, 0)
		add(ret, allow, 0, 0)
	}
	add(equal, unix.SYS_CLONE, 0, 4)
	add(load, argument, 0, 0)
	add(anyOf, unix.CLONE_NEWCGROUP|unix.CLONE_NEWIPC|unix.CLONE_NEWNET|unix.CLONE_NEWNS|unix.CLONE_NEWPID|unix.CLONE_NEWUSER|unix.CLONE_NEWUTS, 0, 1)
	add(ret, deny|uint32(unix.EPERM), 0, 0)
	add(ret, allow, 0, 0)
	for call, number := range map[uint32]uint32{unix.SYS_CLONE3: uint32(unix.ENOSYS), unix.SYS_UNSHARE: uint32(unix.EPERM), unix.SYS_SETNS: uint32(unix.EPERM)} {
		add(equal, call, 0, 1)
		add(ret, deny|number, 0, 0)
	}
	for _, call := range calls {
		add(equal, call, 0, 1)
		add(ret, allow, 0, 0)
	}
	add(ret, deny|uint32(unix.EPERM), 0, 0)

	var text bytes.Buffer
	_ = binary.Write(&text, binary.NativeEndian, program)
	file := filepath.Join(t.TempDir(), "filter")
	if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	path, err := exec.LookPath("filtered")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Args = append([]string{"filtered", file, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = path
}

// filtered runs a program under the filter in a file.
func filtered() {
	runtime.LockOSThread()
	text, err := os.ReadFile(os.Args[1])
	fatal(err)
	program := make([]unix.SockFilter, len(text)/8)
	fatal(binary.Read(bytes.NewReader(text), binary.NativeEndian, program))
	if os.Getenv("LISTEN_FDS") != "" {
		fatal(os.Setenv("LISTEN_PID", strconv.Itoa(os.Getpid())))
	}
	fatal(unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	fatal(unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&filter)), 0, 0))
	fatal(syscall.Exec(os.Args[2], os.Args[2:], os.Environ()))
}

func fatal(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// probe tries what a program that has been taken over would try, and fails
// where something is not refused.
func probe() {
	file := filepath.Join(os.TempDir(), "uncoil-probe-"+strconv.Itoa(os.Getpid()))
	fatal(os.WriteFile(file, nil, 0o600))
	defer os.Remove(file)
	socket := func(family, kind, protocol int) func() error {
		return func() error {
			fd, err := unix.Socket(family, kind, protocol)
			if err == nil {
				_ = unix.Close(fd)
			}
			return err
		}
	}
	call := func(number uintptr, args ...uintptr) func() error {
		args = append(args, 0, 0, 0, 0, 0, 0)
		return func() error {
			_, _, errno := unix.Syscall6(number, args[0], args[1], args[2], args[3], args[4], args[5])
			if errno != 0 {
				return errno
			}
			return nil
		}
	}
	failed := false
	for what, try := range map[string]func() error{
		"a Unix socket":        socket(unix.AF_UNIX, unix.SOCK_STREAM, 0),
		"a netlink socket":     socket(unix.AF_NETLINK, unix.SOCK_RAW, 0),
		"a packet socket":      socket(unix.AF_PACKET, unix.SOCK_RAW, 0),
		"a virtual socket":     socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0),
		"chmod":                func() error { return os.Chmod(file, 0o777) },
		"chown":                func() error { return os.Chown(file, 1, 1) },
		"mount":                func() error { return unix.Mount("none", "/mnt", "tmpfs", 0, "") },
		"a namespace":          func() error { return unix.Unshare(unix.CLONE_NEWUSER) },
		"another user":         call(unix.SYS_SETUID, 1),
		"a trace of a process": call(unix.SYS_PTRACE, unix.PTRACE_TRACEME),
		"memory of a process":  call(unix.SYS_PROCESS_VM_READV, uintptr(os.Getppid())),
		"BPF":                  call(unix.SYS_BPF),
		"a performance event":  call(unix.SYS_PERF_EVENT_OPEN),
		"a key":                call(unix.SYS_KEYCTL),
		"io_uring":             call(unix.SYS_IO_URING_SETUP, 1),
		"userfaultfd":          call(unix.SYS_USERFAULTFD),
		"a module":             call(unix.SYS_INIT_MODULE),
		"a kernel":             call(unix.SYS_KEXEC_LOAD),
		"a new root":           func() error { return unix.Chroot("/") },
		"writable code": func() error {
			_, err := unix.Mmap(-1, 0, os.Getpagesize(), unix.PROT_EXEC|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
			return err
		},
	} {
		if err := try(); !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.EAFNOSUPPORT) && !errors.Is(err, unix.ENOSYS) {
			fmt.Printf("%s is not refused: %v\n", what, err)
			failed = true
		}
	}
	// What these filters leave free is in docs/operations.md.
	for what, try := range map[string]func() error{
		"UDP":           socket(unix.AF_INET, unix.SOCK_DGRAM, 0),
		"Multipath TCP": socket(unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP),
	} {
		if err := try(); errors.Is(err, unix.EPERM) {
			fmt.Printf("%s is refused, and the documentation says otherwise\n", what)
			failed = true
		}
	}
	if failed {
		_ = os.Remove(file)
		os.Exit(1)
	}
}
