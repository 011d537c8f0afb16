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
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
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
	var moments []time.Duration
	if *rate > 0 {
		for at := 0.0; at < duration.Seconds(); at += rand.ExpFloat64() / *rate {
			moments = append(moments, time.Duration(at*float64(time.Second)))
		}
	}
	var next atomic.Int64
	var group sync.WaitGroup
	took := make([][]time.Duration, *connections)
	var failed atomic.Int64
	start := time.Now()
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
				if moments != nil {
					n := int(next.Add(1)) - 1
					if n >= len(moments) {
						return
					}
					sent = start.Add(moments[n])
					time.Sleep(time.Until(sent))
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

// exchange sends a request, reads the answer and reports whether it is a 200.
func exchange(conn net.Conn, answers *bufio.Reader, request []byte) bool {
	if _, err := conn.Write(request); err != nil {
		log.Fatal(err)
	}
	answer, err := http.ReadResponse(answers, nil)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		log.Fatal(err)
	}
	return answer.StatusCode == http.StatusOK
}
