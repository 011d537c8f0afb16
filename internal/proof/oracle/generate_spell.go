package oracle

import (
	"fmt"
	"strings"
)

// spell turns settings into arguments. Where a setting can be spelled in
// several ways, each has its turn. Arguments follow "--" only in the last
// operation, because "--next" would not be an option after it.
func (d *draft) spell(settings []setting, last bool) []string {
	var args []string
	if last && d.chance(2) {
		for i, s := range settings {
			if s.long == "url" && i == len(settings)-1 {
				return append(d.spell(settings[:i], false), "--", s.value)
			}
		}
	}
	for i := 0; i < len(settings); i++ {
		s := settings[i]
		switch {
		case s.long == "url":
			args = append(args, d.spellURL(s.value)...)
		case s.short != 0 && !s.hasValue && d.chance(60):
			cluster := "-" + string(s.short)
			for i+1 < len(settings) && settings[i+1].short != 0 && d.chance(50) {
				i++
				cluster += string(settings[i].short)
				if settings[i].hasValue {
					break
				}
			}
			if settings[i].hasValue {
				args = append(args, d.attach(cluster, settings[i].value)...)
			} else {
				args = append(args, cluster)
			}
		case s.short != 0 && s.hasValue && d.chance(60):
			args = append(args, d.attach("-"+string(s.short), s.value)...)
		case !s.hasValue:
			args = append(args, "--"+s.long)
		case d.since(8, 16) && d.chance(10):
			args = append(args, "--"+s.long+"="+s.value)
		default:
			args = append(args, "--"+s.long, s.value)
		}
	}
	return args
}

// attach puts a value after a short option, into the same argument or the
// next. An empty one cannot be glued.
func (d *draft) attach(option, value string) []string {
	if value != "" && d.chance(30) {
		return []string{option + value}
	}
	return []string{option, value}
}

func (d *draft) spellURL(url string) []string {
	switch {
	case url == "-" || strings.HasPrefix(url, "-") || strings.HasPrefix(url, "@"), d.chance(12):
		if d.since(8, 16) && d.chance(20) {
			return []string{"--url=" + url}
		}
		return []string{"--url", url}
	}
	return []string{url}
}

// moveToConfig moves some of the settings to a file for --config.
func (d *draft) moveToConfig(settings []setting) []setting {
	from := d.random.IntN(len(settings))
	to := from + 1 + d.random.IntN(len(settings)-from)
	text := d.config(settings[from:to])
	name := "-"
	if d.Stdin != nil || d.chance(80) {
		name = d.file("conf", text)
	} else {
		d.Stdin = []byte(text)
	}
	var out []setting
	out = append(out, settings[:from]...)
	out = append(out, with("config", 'K', name))
	return append(out, settings[to:]...)
}

// config writes settings as lines of a config file.
func (d *draft) config(settings []setting) string {
	end := d.pick("\n", "\n", "\r\n")
	var b strings.Builder
	for i, s := range settings {
		if d.chance(15) {
			b.WriteString(d.pick("# comment", "", "   # indented", "\t") + end)
		}
		if i > 0 && d.chance(3) {
			b.WriteString(d.pick("next", "--next", "-:") + end)
		}
		if d.chance(3) {
			b.WriteString(d.pick(" ", "\t"))
		}
		b.WriteString(d.configLine(s) + d.pick("", "", "", " # comment", " "))
		if i < len(settings)-1 || d.chance(80) {
			b.WriteString(end)
		}
	}
	return b.String()
}

func (d *draft) configLine(s setting) string {
	name, separators := s.long, []string{" ", "=", " = ", ": ", ":", "\t", "  "}
	switch {
	case s.short != 0 && d.chance(25):
		name, separators = "-"+string(s.short), []string{" ", "", "  "}
	case d.chance(30):
		name, separators = "--"+s.long, []string{" ", "\t", "=", " = "}
	}
	if !s.hasValue {
		return name
	}
	value := s.value
	if value == "" || strings.ContainsAny(value, " \t\r\n\v\"\\#") && d.chance(95) || d.chance(40) {
		value = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", d.pick(`\t`, "\t"), "\v", `\v`).Replace(value) + `"`
	}
	return name + d.pick(separators...) + value
}

// useVariables has some of the settings take their value from variables.
func (d *draft) useVariables(settings []setting) []setting {
	var out []setting
	for i, s := range settings {
		if !s.hasValue || len(out) > len(settings) || !d.chance(50) {
			out = append(out, s)
			continue
		}
		name := d.pick("v", "Var_2", "x", "A") + fmt.Sprint(i)
		content := s.value
		call := name
		switch {
		case d.chance(30) && s.long != "url":
			call += d.pick(":trim", ":json", ":url", ":b64", ":trim:url", ":json:b64:url")
			content = d.pick("", " ") + d.text() + d.pick("", "\n")
		case d.since(8, 13) && d.chance(10) && s.long != "url":
			call += ":64dec"
			content = d.pick("YWJj", "YQ==", "!!", "YWJ")
		case d.chance(4):
			call += d.pick(":nope", ":", ":trim:", " ", "-", ":TRIM")
		}
		out = append(out, d.declare(name, content))
		expanded := s
		expanded.long, expanded.short = "expand-"+s.long, 0
		expanded.value = "{{" + call + "}}"
		if s.long != "url" && d.chance(20) {
			expanded.value = d.pick("pre", `\{{x}}`, "{{}}", "{{unset}}", "{{") + expanded.value
		}
		out = append(out, expanded)
	}
	return out
}

// declare gives a variable its content in one of the ways there are.
func (d *draft) declare(name, content string) setting {
	content = strings.ReplaceAll(content, "\x00", "")
	switch {
	case d.chance(20):
		return with("variable", 0, name+"@"+d.file("var", content))
	case d.chance(15):
		d.setEnv(name, content)
		return with("variable", 0, "%"+name+d.pick("", "", "=default"))
	case d.chance(10):
		return with("variable", 0, "%"+name+"="+content)
	case d.since(8, 12) && d.chance(8):
		return with("variable", 0, name+d.pick("[0-2]", "[1-]", "[0-0]", "[5-100]", "[3-1]", "[x]", "[]")+"="+content)
	case d.chance(4):
		return with("variable", 0, d.pick("%UNSET_VARIABLE", "bad-name=x", "=x", name, name+"@missing", "é=x"))
	}
	return with("variable", 0, name+"="+content)
}
