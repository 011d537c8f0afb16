package ruby

import (
	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// computes writes what the program asks the machine for.
func (r *rubyRequest) computes() {
	for _, one := range r.c.Computes {
		r.p.Line(one.Name, " = ", r.native(one.From))
	}
}

// native returns the expression for an operation of the machine.
func (r *rubyRequest) native(from request.From) string {
	switch f := from.(type) {
	case *request.Date:
		if before, after, ok := plan.Seconds(f); ok {
			s := "Time.now.to_i.to_s"
			if before != "" {
				s = RubyString(before) + " + " + s
			}
			if after != "" {
				s += " + " + RubyString(after)
			}
			return s
		}
		now := "Time.now"
		if f.UTC {
			now += ".utc"
		}
		return now + ".strftime(" + RubyString(plan.Strftime(f)) + ")"
	case *request.UUID:
		r.p.Use("securerandom")
		return "SecureRandom.uuid"
	case *request.Hostname:
		r.p.Use("socket")
		return "Socket.gethostname"
	case *request.FileContent:
		return "File.read(" + RubyString(f.Name) + `).sub(/\n+\z/, '')`
	}
	return ""
}

// captures writes the statements that keep values of the response.
func (r *rubyRequest) captures() {
	var picked []plan.Capture
	whole := ""
	for _, one := range r.c.Captures {
		switch {
		case len(one.Path) > 0:
			picked = append(picked, one)
		case whole != "":
			r.p.Line(one.Name, " = ", whole)
		default:
			whole = one.Name
			r.p.Line(whole, ` = response.body.sub(/\n+\z/, '')`)
		}
	}
	data := "JSON.parse(response.body)"
	if len(picked) > 0 {
		r.p.Use("json")
	}
	if len(picked) > 1 {
		data = r.p.Bind("data", "of "+r.c.Captures[0].Name)
		r.p.Line(data, " = JSON.parse(response.body)")
	}
	for _, one := range picked {
		value := data
		for _, step := range one.Path {
			if step.IsIndex {
				value += ".fetch(" + emit.Itoa(step.Index) + ")"
			} else {
				value += ".fetch(" + RubyString(step.Key) + ")"
			}
		}
		switch {
		case one.Quoted:
			value += ".to_json"
		case !one.IsText():
			value += ".to_s"
		}
		r.p.Line(one.Name, " = ", value)
	}
}
