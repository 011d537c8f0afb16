// Json decodes each line of standard input, and encodes the answer that convert gives to a
// simple command, with encoding/json: the measure that bench/peers.sh holds a batch against.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"

	"uncoil/bench/json/line"
)

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(out)
	for decoder.More() {
		var l line.Line
		if err := decoder.Decode(&l); err != nil {
			log.Fatal(err)
		}
		if err := encoder.Encode(line.Answer(&l)); err != nil {
			log.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}
