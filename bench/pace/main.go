//go:build linux

// Pace sends the same request to a service over many connections, and prints on
// one line how many were answered in a second, the microseconds of the 50th and
// 99th percentile of the time to the answer, and how many answers were no 200.
//
// With -rate it sends that many requests in a second at random moments, and times
// each from its moment on, also when all connections were in use by then: a
// service that stalls cannot hide it. Without, each connection sends as fast as it
// gets answers.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const body = `{"curl":"curl -X POST 'https://api.example.com/v1/users' -H 'Content-Type: application/json' -H 'Authorization: Bearer abc.def' -d '{\"name\":\"Ann\",\"age\":41,\"tags\":[\"a\",\"b\"]}'"}`

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "send to this `ADDRESS`")
	rate := flag.Float64("rate", 0, "send `N` requests in a second, or as many as are answered")
	connections := flag.Int("connections", 32, "use `N` connections")
	duration := flag.Duration("time", 5*time.Second, "send for this `TIME`")
	flag.Parse()

	request := []byte(fmt.Sprintf("POST /api/convert HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", *addr, len(body), body))
	var group sync.WaitGroup
	took := make([][]time.Duration, *connections)
	var failed atomic.Int64
	start := time.Now()
	var due chan time.Time
	if *rate > 0 {
		due = make(chan time.Time, int(*rate*duration.Seconds())) // what the service keeps waiting must not keep the clock waiting
		go clock(due, start, *duration, *rate)
	}
	for i := range *connections {
		group.Go(func() {
			conn, err := net.Dial("tcp", *addr)
			if err != nil {
				log.Fatal(err)
			}
			defer conn.Close()
			answers := bufio.NewReader(conn)
			for {
				sent := time.Now()
				if due != nil {
					var more bool
					if sent, more = <-due; !more {
						return
					}
				} else if time.Since(start) > *duration {
					return
				}
				if !exchange(conn, answers, request) {
					failed.Add(1)
				}
				took[i] = append(took[i], time.Since(sent))
			}
		})
	}
	group.Wait()
	elapsed := time.Since(start)
	all := slices.Concat(took...)
	slices.Sort(all)
	percentile := func(p int) int64 { return all[(len(all)-1)*p/100].Microseconds() }
	fmt.Printf("%.0f %d %d %d\n", float64(len(all))/elapsed.Seconds(), percentile(50), percentile(99), failed.Load())
}

// clock sends each moment at which a request is due when it has come. It sleeps
// in the kernel, in a thread of its own, because a timer of Go can be late by a
// millisecond, which is more than the time to most answers.
func clock(due chan<- time.Time, start time.Time, duration time.Duration, rate float64) {
	defer close(due)
	runtime.LockOSThread()
	for at := 0.0; at < duration.Seconds(); at += rand.ExpFloat64() / rate {
		moment := start.Add(time.Duration(at * float64(time.Second)))
		if wait := time.Until(moment); wait > 0 {
			pause := syscall.NsecToTimespec(wait.Nanoseconds())
			_ = syscall.Nanosleep(&pause, nil) // interrupted by a signal, it sends too early by less than that
		}
		due <- moment
	}
}

// exchange sends a request, reads the answer and reports whether it is a 200. It
// reads no more of the head than that and the length, because what the generator
// spends is taken from what it can send.
func exchange(conn net.Conn, answers *bufio.Reader, request []byte) bool {
	if _, err := conn.Write(request); err != nil {
		log.Fatal(err)
	}
	ok, length := false, 0
	for first := true; ; first = false {
		line, err := answers.ReadSlice('\n')
		if err != nil {
			log.Fatal(err)
		}
		if first {
			ok = bytes.HasPrefix(line, []byte("HTTP/1.1 200 "))
		} else if digits, found := bytes.CutPrefix(line, []byte("Content-Length: ")); found {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(digits))); err != nil {
				log.Fatal(err)
			}
		}
		if len(bytes.TrimSpace(line)) == 0 {
			break
		}
	}
	if _, err := answers.Discard(length); err != nil {
		log.Fatal(err)
	}
	return ok
}
