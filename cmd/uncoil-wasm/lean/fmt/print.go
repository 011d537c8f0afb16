// Package fmt is the part of the standard library's fmt that the engine and
// what it imports need. In the build for the browser it takes the place of
// the whole: that one brings reflection, os and tables along, a fifteenth of
// the download, for the few messages of the bash parser.
//
// The verbs are %s, %v, %d, %q and %U with the flag #, without width or
// precision. The operands are strings, bytes, integers, errors, and those with
// a String or a Format method. In the place of anything else stands [leftOut],
// which the comparison of the two engines finds.
package fmt

import (
	"errors"
	"io"
	"strconv"
	"unicode/utf8"
)

const leftOut = "%!"

// A Stringer describes itself.
type Stringer interface{ String() string }

// A Formatter formats itself.
type Formatter interface{ Format(f State, verb rune) }

// A State is what a Formatter writes to.
type State interface {
	Write(b []byte) (n int, err error)
	Width() (wid int, ok bool)
	Precision() (prec int, ok bool)
	Flag(c int) bool
}

// FormatString returns the directive that a Formatter was called for.
func FormatString(state State, verb rune) string {
	if state.Flag('#') {
		return "%#" + string(verb)
	}
	return "%" + string(verb)
}

// Sprintf formats by the verbs in format.
func Sprintf(format string, args ...any) string {
	var p printer
	p.print(format, args)
	return string(p.out)
}

// Errorf returns the formatted text as an error.
func Errorf(format string, args ...any) error { return errors.New(Sprintf(format, args...)) }

// Fprintf writes the formatted text.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	return io.WriteString(w, Sprintf(format, args...))
}

// Fprint writes operands that are all strings.
func Fprint(w io.Writer, args ...any) (int, error) {
	n := 0
	for _, arg := range args {
		k, err := io.WriteString(w, arg.(string))
		if n += k; err != nil {
			return n, err
		}
	}
	return n, nil
}

// A printer is the State of one directive after the other.
type printer struct {
	out   []byte
	sharp bool // the flag # of the present directive
}

func (p *printer) Write(b []byte) (int, error) {
	p.out = append(p.out, b...)
	return len(b), nil
}

func (p *printer) Width() (int, bool)     { return 0, false }
func (p *printer) Precision() (int, bool) { return 0, false }
func (p *printer) Flag(c int) bool        { return c == '#' && p.sharp }

func (p *printer) print(format string, args []any) {
	used := 0
	for i := 0; i < len(format); {
		if format[i] != '%' {
			p.out = append(p.out, format[i])
			i++
			continue
		}
		i++
		if p.sharp = i < len(format) && format[i] == '#'; p.sharp {
			i++
		}
		if i == len(format) {
			p.leaveOut()
			break
		}
		verb, size := utf8.DecodeRuneInString(format[i:])
		if i += size; verb == '%' {
			p.out = append(p.out, '%')
			continue
		}
		if used == len(args) {
			p.leaveOut()
			continue
		}
		p.operand(args[used], verb)
		used++
	}
	if used < len(args) {
		p.leaveOut()
	}
}

func (p *printer) leaveOut() { p.out = append(p.out, leftOut...) }

func (p *printer) operand(arg any, verb rune) {
	switch arg := arg.(type) {
	case Formatter:
		arg.Format(p, verb)
		return
	case error:
		if verb != 'd' && verb != 'U' {
			p.text(arg.Error(), verb)
			return
		}
	case Stringer:
		if verb != 'd' && verb != 'U' {
			p.text(arg.String(), verb)
			return
		}
	}
	switch arg := arg.(type) {
	case string:
		p.text(arg, verb)
	case []byte:
		if verb == 'd' || verb == 'v' {
			p.leaveOut()
			return
		}
		p.text(string(arg), verb)
	case int:
		p.integer(int64(arg), verb)
	case int32:
		p.integer(int64(arg), verb)
	case int64:
		p.integer(arg, verb)
	default:
		p.leaveOut()
	}
}

func (p *printer) text(s string, verb rune) {
	switch {
	case verb == 's' && !p.sharp, verb == 'v' && !p.sharp:
		p.out = append(p.out, s...)
	case verb == 'q' && p.sharp && strconv.CanBackquote(s):
		p.out = append(p.out, '`')
		p.out = append(p.out, s...)
		p.out = append(p.out, '`')
	case verb == 'q':
		p.out = strconv.AppendQuote(p.out, s)
	default:
		p.leaveOut()
	}
}

func (p *printer) integer(n int64, verb rune) {
	switch {
	case p.sharp:
		p.leaveOut()
	case verb == 'd' || verb == 'v':
		p.out = strconv.AppendInt(p.out, n, 10)
	case verb == 'q':
		p.out = strconv.AppendQuoteRune(p.out, rune(n))
	case verb == 'U':
		p.out = append(p.out, "U+"...)
		for limit := int64(0x1000); limit > 1 && n < limit; limit /= 16 {
			p.out = append(p.out, '0')
		}
		for _, c := range strconv.FormatInt(n, 16) {
			if c >= 'a' {
				c -= 'a' - 'A'
			}
			p.out = append(p.out, byte(c))
		}
	default:
		p.leaveOut()
	}
}
