package wasm

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
)

// maxGap is how many zeros stand between two segments of data that are joined: more, and the
// file grows by more than what a segment costs.
const maxGap = 64

// The parts of a module that are read here (WebAssembly core specification 2.0, 5.4.1 and 5.5).
const (
	preamble      = "\x00asm\x01\x00\x00\x00"
	dataSection   = 11
	countSection  = 12 // how many segments of data there are
	activeSegment = 0  // of the first memory, at a place that an expression says
	opConst       = 0x41
	opEnd         = 0x0b
)

var errModule = errors.New("no module of WebAssembly, or a broken one")

// joinSegments returns a module whose segments of data are joined where few zeros stand between
// them. Go's linker leaves zeros out and so writes up to 100,000 segments of a few bytes each,
// which are 5 % of the file after compression. A module stays as it is if its code names segments
// by number, or if one segment writes over another.
func joinSegments(module []byte) ([]byte, error) {
	if len(module) < len(preamble) || string(module[:len(preamble)]) != preamble {
		return nil, errModule
	}
	out := append(make([]byte, 0, len(module)), preamble...)
	for r := (reader{rest: module[len(preamble):]}); len(r.rest) > 0; {
		id := r.byte()
		content := r.bytes(r.number())
		if r.broken {
			return nil, errModule
		}
		switch id {
		case countSection:
			return module, nil
		case dataSection:
			joined, ok, err := joinData(content)
			if err != nil || !ok {
				return module, err
			}
			content = joined
		}
		out = binary.AppendUvarint(append(out, id), uint64(len(content)))
		out = append(out, content...)
	}
	return out, nil
}

// A segment of data and its place in memory.
type segment struct {
	at   int64
	data []byte
}

func (s *segment) end() int64 { return s.at + int64(len(s.data)) }

// joinData joins the segments of the section of data. It is not ok where this could change what
// is in memory.
func joinData(section []byte) (joined []byte, ok bool, err error) {
	r := reader{rest: section}
	var all []segment
	for range r.number() {
		kind, op := r.number(), r.byte()
		if kind != activeSegment || op != opConst {
			return nil, false, nil
		}
		at := int64(uint32(r.signed()))
		closed := r.byte() == opEnd
		data := r.bytes(r.number())
		if r.broken || !closed {
			return nil, false, errModule
		}
		all = append(all, segment{at, data})
	}
	if len(r.rest) > 0 || r.broken {
		return nil, false, errModule
	}
	slices.SortStableFunc(all, func(a, b segment) int { return cmp.Compare(a.at, b.at) })
	var few []segment
	for _, s := range all {
		if n := len(few) - 1; n < 0 || s.at-few[n].end() > maxGap {
			few = append(few, segment{s.at, slices.Clone(s.data)})
		} else if last := &few[n]; s.at < last.end() {
			return nil, false, nil
		} else {
			last.data = append(append(last.data, make([]byte, s.at-last.end())...), s.data...)
		}
	}
	joined = binary.AppendUvarint(nil, uint64(len(few)))
	for _, s := range few {
		joined = appendSigned(append(joined, activeSegment, opConst), int64(int32(s.at)))
		joined = binary.AppendUvarint(append(joined, opEnd), uint64(len(s.data)))
		joined = append(joined, s.data...)
	}
	return joined, true, nil
}

// A reader reads the numbers of a module, which are LEB128.
type reader struct {
	rest   []byte
	broken bool
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.broken, r.rest = true, nil
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.broken, size = true, len(r.rest)
	}
	r.rest = r.rest[size:]
	return n
}

// signed reads a number with a sign, of 32 bits.
func (r *reader) signed() int32 {
	n := int64(0)
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		n |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			return int32(n << (64 - 7 - shift) >> (64 - 7 - shift))
		}
	}
	r.broken = true
	return 0
}

// appendSigned appends a number as signed LEB128.
func appendSigned(dst []byte, n int64) []byte {
	for {
		b := byte(n & 0x7f)
		if n >>= 7; n == 0 && b&0x40 == 0 || n == -1 && b&0x40 != 0 {
			return append(dst, b)
		}
		dst = append(dst, b|0x80)
	}
}
