package plan

import (
	"slices"

	"uncoil/code/internal/emit"
	"uncoil/request"
)

// fixedOptions are the members of options whose values a program writes as
// numbers or lists, which take no variable, and the options that set them.
var fixedOptions = map[string]emit.Phrase{
	"maxTime": "-m", "connectTimeout": "--connect-timeout", "retry": "--retry", "maxRedirects": "--max-redirs",
	"resolve": "--resolve", "connectTo": "--connect-to", "noproxy": "--noproxy",
}

// dropVariables takes the options that a variable sets, and no program can, from
// the call.
func (c *Call) dropVariables() {
	if len(c.Variables) == 0 || c.live || c.Keep {
		return
	}
	varies := func(o request.Option) bool {
		return fixedOptions[o.Name] != "" && slices.ContainsFunc(c.Variables, func(v request.Variable) bool {
			return v.At.Member == request.MemberOption && v.At.Option == o.Name
		})
	}
	if !slices.ContainsFunc(c.Options, varies) {
		return
	}
	r := *c.Request
	r.Options = nil
	for _, o := range c.Options {
		if varies(o) {
			c.dropped = append(c.dropped, o)
		} else {
			r.Options = append(r.Options, o)
		}
	}
	c.Request = &r
}

// refuseVariables makes errors of variables that no target looks up, and warns
// of what the shell computes, such as the output of a command, which stays as it
// was typed.
func (p *Program) refuseVariables(c *Call) {
	if p.Options.KeepVariables || len(c.Variables) == 0 {
		return
	}
	if p.Target.Facts.Constant {
		p.Cannot("has no variables", shown(&c.Variables[0])+" stays as it was typed")
		return
	}
	var told []string
	for i := range c.Variables {
		v := &c.Variables[i]
		switch {
		case v.At.Member == request.MemberMethod:
			p.Refuse("takes no method from a variable")
		case v.At.Member == request.MemberFieldName, v.At.Member == request.MemberRemoved:
			p.Refuse("takes no name of a field from a variable")
		case v.At.Member == request.MemberPartHeader:
			p.Refuse("takes no field of a part from a variable")
		case !v.Known() && v.At.Member != request.MemberOption && !slices.Contains(told, v.Expr):
			p.Cannot("does not know what the shell computes", shown(v)+" stays as it was typed")
			told = append(told, v.Expr)
		}
	}
}
