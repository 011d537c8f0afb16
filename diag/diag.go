package diag

// A Span is a half-open range of byte offsets into the source text.
type Span struct{ Start, End int32 }

// At returns the empty span at an offset.
func At(offset int) Span { return Span{int32(offset), int32(offset)} }

// Join returns the smallest span that covers both a and b.
func Join(a, b Span) Span {
	return Span{min(a.Start, b.Start), max(a.End, b.End)}
}

// A Severity is SeverityError, which leaves no answer, or SeverityWarning.
type Severity uint8

// The severities.
const (
	SeverityWarning Severity = 1 + iota
	SeverityError
)

// String returns the name of the severity: "warning" or "error".
func (s Severity) String() string { return nameOf(s, "warning", "error") }

// MarshalText returns the name of the severity.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// A Level is how much a warning matters. Errors have no level.
type Level uint8

// The levels.
const (
	LevelDoubt  Level = 1 + iota // the answer may not be what is meant
	LevelAdvice                  // the answer is what is meant; this is worth knowing
)

// String returns the name that the API uses for the level: "doubt" or "advice".
func (l Level) String() string { return nameOf(l, "doubt", "advice") }

// MarshalText returns the name that the API uses for the level.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// nameOf returns the name of a constant that counts from 1, or "" for what is none.
func nameOf[T ~uint8](constant T, names ...string) string {
	if constant == 0 || int(constant) > len(names) {
		return ""
	}
	return names[constant-1]
}

// A Fix corrects the source text: the command that was meant has Text in the
// place of Span.
type Fix struct {
	Span Span
	Text string
}

// A Diagnostic is an error or a warning about the source text.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Level    Level // of a warning
	Span     Span
	Message  string // one sentence, names the option as typed; never holds a secret
	Hint     string // what to do about it; may be empty
	Fix      *Fix   // an edit that does it; nil when one span is not enough

	Option string   // the option at fault, as typed; may be empty
	Files  []string // for CodeFileNotSupplied: the names
	// Variable is the one whose value would decide, where no request lists it.
	Variable string
	// Count is how many requests there are, for CodeMultipleRequests and
	// CodeTooManyRequests, and how many parts only the shell knows, for WarnNotAHeader.
	Count int
	// Cause is the panic behind CodeInternal, for logs; nil for other codes.
	Cause error
}

// Demote makes an error a warning, because it concerns only a part of the text. The
// answer lacks that part, so the warning is a doubt.
func (d *Diagnostic) Demote() {
	if d.Severity == SeverityError {
		d.Severity, d.Level = SeverityWarning, LevelDoubt
	}
}

// A List holds diagnostics in the order in which they were found.
type List []Diagnostic

// Error adds an error to the list.
func (l *List) Error(code Code, span Span, message, hint string) {
	*l = append(*l, Diagnostic{Code: code, Severity: SeverityError, Span: span, Message: message, Hint: hint})
}

// Warn adds a warning to the list, with the level of its code.
func (l *List) Warn(code Code, span Span, message, hint string) {
	*l = append(*l, Diagnostic{Code: code, Severity: SeverityWarning, Level: code.Level(), Span: span, Message: message, Hint: hint})
}

// WarnFix adds a warning to the list with a fix: the text that the span fixed
// should have.
func (l *List) WarnFix(code Code, span Span, message, hint string, fixed Span, text string) {
	l.Warn(code, span, message, hint)
	(*l)[len(*l)-1].Fix = &Fix{Span: fixed, Text: text}
}

// Err returns the first error of the list, or nil.
func (l List) Err() *Diagnostic {
	for i := range l {
		if l[i].Severity == SeverityError {
			return &l[i]
		}
	}
	return nil
}

// Last returns the last diagnostic of the list if it has a code, else nil: as after a warning
// for which no budget was left.
func (l List) Last(code Code) *Diagnostic {
	if n := len(l); n > 0 && l[n-1].Code == code {
		return &l[n-1]
	}
	return nil
}

// Warnings returns the list without its errors.
func (l List) Warnings() List {
	var out List
	for _, d := range l {
		if d.Severity == SeverityWarning {
			out = append(out, d)
		}
	}
	return out
}
