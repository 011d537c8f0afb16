package api

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"uncoil/diag"
	"uncoil/internal/edge/explain"
	"uncoil/internal/engine"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/redact"
	"uncoil/request"
)

// MaxShown is how many requests of one text are shown at once.
const MaxShown = 20

// mostListed is how many bytes of a URL are in the list of requests.
const mostListed = 100

// Show returns the view of a request object as a JSON object. With one, counted from
// 1, only this request of the text is shown, if there is such a one, and "converted",
// "parsed" and "messages" are about it alone:
//
//	{"problem": …}                         where there is no answer, or else
//	{"count": how many requests there are,
//	 "one": the number of the one that is shown, or 0,
//	 "list": of several requests, ["METHOD URL", …], with the beginnings of long URLs,
//	 "again": the target that writes curl commands for the shell of the text,
//	 "parsed": the full description, of the first MaxShown requests,
//	 "converted": the four members, or "refused": the problem why there are none,
//	 "each": where several are shown, one {"converted": …} or {"refused": …} for
//	         each of the first MaxShown,
//	 "messages": one for each of these, {"text": …} or {"base64": …}, with
//	             "missing" where not all of its bytes are known,
//	 "own": for each of these the header fields that curl adds by itself, ["Host: h"],
//	 "uses": the options of the text, as explain.AppendOptions has them, unless it
//	         has too many,
//	 "secrets": what is hidden, as it stood,
//	 "hidden": [[start, end], …], where the command itself holds secrets, used
//	           or not, in bytes}
//
// Parsed and converted are strings that hold the JSON text, so that whoever
// reads the object in JavaScript keeps their digits.
func Show(text string, one int, hide bool) []byte { return Limits{}.Show(text, one, hide) }

// Show is the function Show within limits.
func (l Limits) Show(text string, one int, hide bool) []byte {
	body, err := l.show(text, one, hide)
	if err != nil {
		body, _, _ = AppendProblem([]byte(`{"problem":`), err)
		return append(body, '}')
	}
	return body
}

// parseShown parses the command of a request object. What an error repeats of
// the command is hidden where asked. explain is that of engine.Input.
func (l Limits) parseShown(text string, hide bool, explain engine.Explainer) (Request, *engine.Result, error) {
	r, err := l.DecodeRequest(text)
	if err != nil {
		return r, nil, err
	}
	in := r.Input
	in.Explain = explain
	if in.Now.IsZero() {
		in.Now = time.Now()
	}
	result, err := engine.Parse(r.Curl, in)
	return r, result, masked(err, r.Curl, nil, hide)
}

func (l Limits) show(text string, one int, hide bool) (body []byte, err error) {
	defer fault.Recover(&err)
	r, result, err := l.parseShown(text, hide, engine.Explain)
	if err != nil {
		return nil, err
	}
	count := len(result.Requests)
	var secrets []string
	var hidden []redact.Span
	if hide {
		// All of them: the warnings and what four members cannot say are
		// about the whole text.
		secrets = redact.Requests(result.Requests)
		hidden = redact.Places(r.Curl, secrets)
		MaskAll(result.Warnings, redact.NewMasker(r.Curl, secrets))
	}
	dst := append([]byte(`{"count":`), strconv.Itoa(count)...)
	if count > 1 {
		dst = jsontext.AppendArray(append(dst, `,"list":`...), result.Requests, func(dst []byte, r *request.Request) []byte {
			return jsontext.AppendString(dst, r.Method+" "+beginning(r.URL))
		})
	}
	if one < 1 || one > count {
		one = 0
	} else {
		result.Requests = result.Requests[one-1 : one]
	}
	dst = append(append(dst, `,"one":`...), strconv.Itoa(one)...)
	again, _ := curlFor(result)
	dst = append(jsontext.AppendString(append(dst, `,"again":`...), again), ',')
	dst = appendConverted(dst, func(dst []byte) ([]byte, error) { out, _, err := result.Append(dst, engine.Want{}); return out, err }, r.Curl, secrets, hide)
	result.Requests = result.Requests[:min(len(result.Requests), MaxShown)]
	if len(result.Requests) > 1 {
		dst = append(dst, `,"each":`...)
		dst = jsontext.AppendArray(dst, result.Requests, func(dst []byte, one *request.Request) []byte {
			convert := func([]byte) ([]byte, error) {
				members, err := (&engine.Result{Requests: []request.Request{*one}}).Members()
				if err != nil {
					return nil, err
				}
				return members.MarshalJSON()
			}
			return append(appendConverted(append(dst, '{'), convert, r.Curl, secrets, hide), '}')
		})
	}
	parsed, err := result.MarshalJSON()
	if err != nil {
		return nil, err
	}
	dst = jsontext.AppendString(append(dst, `,"parsed":`...), parsed)
	dst = append(dst, `,"messages":[`...)
	for i := range result.Requests {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendMessage(dst, &result.Requests[i])
	}
	dst = jsontext.AppendArray(append(dst, `],"own":`...), result.Requests, func(dst []byte, q *request.Request) []byte {
		return jsontext.AppendStrings(dst, ownFields(q))
	})
	return append(appendHidden(appendUses(dst, result), secrets, hidden), '}'), nil
}

// appendUses appends the member uses.
func appendUses(dst []byte, r *engine.Result) []byte {
	out, ok := explain.AppendOptions(append(dst, `,"uses":`...), r, mostUses)
	if !ok {
		out = append(out, "[]"...)
	}
	return out
}

// appendHidden appends the members secrets and hidden.
func appendHidden(dst []byte, secrets []string, hidden []redact.Span) []byte {
	dst = jsontext.AppendStrings(append(dst, `,"secrets":`...), secrets)
	return jsontext.AppendArray(append(dst, `,"hidden":`...), hidden, func(dst []byte, s *redact.Span) []byte {
		dst = strconv.AppendInt(append(dst, '['), int64(s.Start), 10)
		return append(strconv.AppendInt(append(dst, ','), int64(s.End), 10), ']')
	})
}

// mostUses is how many bytes of explanations a view has.
const mostUses = 256 << 10

// ownFields returns the lines of the header fields that curl adds by itself.
func ownFields(q *request.Request) (lines []string) {
	for i := range q.Fields {
		if f := &q.Fields[i]; f.Origin == request.OriginDefault {
			lines = append(lines, f.Name+": "+f.Value)
		}
	}
	return lines
}

// beginning returns the beginning of a long URL.
func beginning(url string) string {
	if len(url) <= mostListed {
		return url
	}
	return strings.ToValidUTF8(url[:mostListed], "") + "…"
}

// curlFor returns the target that writes curl commands for the shell of a text,
// and that shell. For texts that are no commands it is a POSIX shell.
func curlFor(r *engine.Result) (target, shell string) {
	switch r.Shell {
	case "cmd", "powershell":
		return "curl-" + r.Shell, r.Shell
	case "posix":
		// The other shells that a warning names have names of their own.
		if slices.ContainsFunc(r.Warnings, func(d diag.Diagnostic) bool { return d.Code == diag.WarnShellAmbiguous }) {
			return "curl-fish", "posix"
		}
	}
	return "curl", "posix"
}

// appendConverted appends the member converted or, where convert refuses, the
// member refused.
func appendConverted(dst []byte, convert func([]byte) ([]byte, error), src string, secrets []string, hide bool) []byte {
	converted, err := convert(nil)
	if err == nil {
		return jsontext.AppendString(append(dst, `"converted":`...), converted)
	}
	dst, _, _ = AppendProblem(append(dst, `"refused":`...), masked(err, src, secrets, hide))
	return dst
}

// masked returns the error of a command without the secrets in its message.
func masked(err error, src string, secrets []string, hide bool) error {
	e, ok := errors.AsType[*engine.Error](err)
	if !ok || !hide {
		return err
	}
	copied := *e
	list := append(diag.List{copied.Diagnostic}, copied.Doubts...)
	MaskAll(list, redact.NewMasker(src, secrets))
	copied.Diagnostic, copied.Doubts = list[0], list[1:]
	return &copied
}

// MaskAll hides secrets in what diagnostics repeat of the command. A fix that holds one is left
// out, because its text would be another.
func MaskAll(list diag.List, m *redact.Masker) {
	for i := range list {
		d := &list[i]
		if d.Fix != nil && m.Mask(d.Fix.Text) != d.Fix.Text {
			d.Fix = nil
		}
		d.Message, d.Hint, d.Option = m.Mask(d.Message), m.Mask(d.Hint), m.Mask(d.Option)
		d.Files = slices.Clone(d.Files)
		for j, name := range d.Files {
			if d.Files[j] = m.Mask(name); strings.ContainsAny(name, "(`") {
				d.Files[j] = redact.Mask // the name is a command, as in <(command)
			}
		}
	}
}
