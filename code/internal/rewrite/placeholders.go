package rewrite

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/envname"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/redact"
	"uncoil/internal/engine/reqtext"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// Placeholders returns the requests with variables in the place of what documentation
// writes for a value: {id}, {{id}}, <id>, :id, $ID between single quotes, YOUR_ID. Two
// spellings of a name are one variable. With environment, the variables are named as those
// of an environment are. It returns their names, and an advice that has them.
func Placeholders(b *emit.Budget, requests []request.Request, environment bool) ([]request.Request, []string, diag.List) {
	f := filler{budget: b, environment: environment, known: make(map[string]request.Variable), owners: make(map[string]string), taken: make(map[string]bool), used: make(map[string]bool)}
	for i := range requests {
		reqtext.EachVariable(requests[i].Variables, f.meet)
	}
	out := slices.Clone(requests)
	for i := range out {
		f.request(&out[i])
	}
	var notes diag.List
	if len(f.told) > 0 {
		notes.Warn(diag.WarnPlaceholderMoved, diag.Span{}, "variables stand for placeholders: "+strings.Join(f.told, ", "), "")
	}
	return out, f.told, notes
}

// heldPerPlaceholder is what a placeholder takes: its variable in the list of the text and in that
// of the request, and its name.
var heldPerPlaceholder = 3 * meter.SizeOf[request.Variable]()

// A filler puts variables in the place of placeholders.
type filler struct {
	budget      *emit.Budget
	environment bool
	known       map[string]request.Variable // by what the placeholders are called
	owners      map[string]string           // what those with a name are called
	taken       map[string]bool             // names of variables that hold something else
	used        map[string]bool             // names of those that stand for placeholders
	told        []string                    // the same, in order
}

// meet notes a variable of the shell. A placeholder of its name is the same variable, unless
// the text says more of it.
func (f *filler) meet(v *request.Variable) {
	if v.HasDefault || v.Computed || v.From != nil {
		f.taken[v.Name] = true
	} else if _, again := f.known[v.Name]; !again && v.Name != "" {
		f.owners[v.Name] = v.Name
		f.known[v.Name] = request.Variable{Name: v.Name, Expr: v.Expr, Encoding: request.EncodingNone}
	}
}

// request fills in one request. The credentials come first, because a field may hold these
// in Base64.
func (f *filler) request(r *request.Request) {
	auth := request.Request{Auth: r.Auth, Variables: r.Variables}
	filled := false
	reqtext.Rewrite(&auth, func(s *reqtext.String) { filled = f.replace(s, placeholdersIn(&auth, s)) || filled })
	reqtext.Rewrite(r, func(s *reqtext.String) {
		if redact.Derived(r, s) {
			if filled {
				derive(s, &auth)
			}
			return
		}
		f.replace(s, placeholdersIn(r, s))
	})
}

// placeholdersIn returns the placeholders in a string of a request.
func placeholdersIn(r *request.Request, s *reqtext.String) []mark {
	switch s.Member {
	case request.MemberURL:
		return urlMarks(s.Value, urlparts.Of(s.Value).Path)
	case request.MemberTarget:
		return urlMarks(s.Value, 0)
	case request.MemberUsername:
		return credentialMarks(s.Value, "user")
	case request.MemberPassword:
		return credentialMarks(s.Value, "password")
	case request.MemberToken:
		return credentialMarks(s.Value, "token")
	case request.MemberFieldValue:
		if isCredential(s.Name) {
			return credentialMarks(s.Value, "token")
		}
		return inValue.marks(s.Value)
	case request.MemberQueryValue:
		return inValue.marks(s.Value)
	case request.MemberFormValue:
		if isTemplate(s.Value) {
			return nil
		}
		return inValue.marks(s.Value)
	case request.MemberFieldLine:
		name, _, _ := strings.Cut(s.Value, ":")
		value := min(len(name)+1, len(s.Value))
		value += len(s.Value[value:]) - len(strings.TrimLeft(s.Value[value:], " \t"))
		return shifted(inValue.marks(s.Value[value:]), value)
	case request.MemberBody:
		switch {
		case r.Body.Kind == request.KindForm:
			return pairMarks(s.Value, 0, true)
		case strings.HasPrefix(s.Value, "{") || strings.HasPrefix(s.Value, "["):
			return jsonMarks(s.Value)
		}
		return inOther.marks(s.Value)
	case request.MemberPieceText:
		return pairMarks(s.Value, 0, true)
	case request.MemberPartValue:
		return inText.marks(s.Value)
	}
	return nil
}

// replace puts variables in the place of the placeholders of a string, and reports whether
// there were any. One that holds a variable already stays.
func (f *filler) replace(s *reqtext.String, list []mark) bool {
	list = slices.DeleteFunc(list, func(m mark) bool { return s.Between(m.start, m.end) })
	if len(list) == 0 {
		return false
	}
	f.budget.Hold(len(list) * heldPerPlaceholder)
	var b reqtext.Builder
	copied := 0
	for _, m := range list {
		b.Keep(s.Text, copied, m.start)
		copied = m.end
		v := f.variable(m.name, m.spelled)
		v.In, v.Encoding = inOf(s), m.encoding
		switch {
		case m.pair == "":
		case s.Member == request.MemberURL || s.Member == request.MemberTarget:
			v.In = "query." + m.pair
		default:
			v.In = "body." + m.pair
		}
		b.AddVariable(v)
	}
	b.Keep(s.Text, copied, len(s.Value))
	s.Text = b.Text()
	return true
}

// variable returns the variable for what a placeholder calls its value. Its spelling is that
// of the first such placeholder.
func (f *filler) variable(called, spelled string) request.Variable {
	name, key := f.nameOf(called), ""
	if rest := withoutYour(called); rest != called {
		short := f.nameOf(rest)
		if key = "your " + short; f.isFree(short, key) {
			name = short
		}
	} else {
		key = name
	}
	v, ok := f.known[key]
	if !ok {
		v = request.Variable{Name: name, Expr: spelled, Encoding: request.EncodingNone}
		for n := 2; !f.isFree(v.Name, key); n++ {
			v.Name = name + "_" + strconv.Itoa(n)
		}
		f.known[key], f.owners[v.Name] = v, key
	}
	if !f.used[v.Name] {
		f.used[v.Name] = true
		f.told = append(f.told, v.Name)
	}
	return v
}

// isFree reports whether a name is that of no other value: {id} and YOUR_ID of one text are two.
func (f *filler) isFree(name, key string) bool {
	owner, owned := f.owners[name]
	return !f.taken[name] && (!owned || owner == key)
}

// nameOf returns the name of a variable for what a placeholder calls its value.
func (f *filler) nameOf(called string) string {
	if !f.environment {
		return identifier(called)
	}
	switch name := envname.Of(called); {
	case envname.IsReserved(name):
		return name + "_VALUE"
	case name == "" || ascii.IsDigit(name[0]):
		return strings.TrimSuffix("VALUE_"+name, "_")
	default:
		return name
	}
}

// withoutYour returns what a placeholder calls its value without the word for whose it is:
// YOUR_API_KEY is API_KEY. A name that each environment has keeps it.
func withoutYour(called string) string {
	for _, word := range [...]string{"your", "my"} {
		if n := len(word); len(called) > n+1 && ascii.EqualFold(called[:n], word) && strings.IndexByte("_-. ", called[n]) >= 0 {
			if rest := called[n+1:]; ascii.IsLetter(rest[0]) && !envname.IsReserved(envname.Of(rest)) {
				return rest
			}
		}
	}
	return called
}

// identifier returns a name of letters, digits and underscores, in the case that it has.
func identifier(called string) string {
	var b []byte
	for i := range len(called) {
		switch c := called[i]; {
		case ascii.IsLetter(c) || ascii.IsDigit(c):
			b = append(b, c)
		case len(b) > 0 && b[len(b)-1] != '_':
			b = append(b, '_')
		}
	}
	s := strings.TrimSuffix(string(b), "_")
	if s == "" || ascii.IsDigit(s[0]) {
		return "value" + s
	}
	return s
}
