package oracle

import (
	"fmt"
	"strings"
)

// data is one or more of --data and its relatives.
func (d *draft) data() []setting {
	var settings []setting
	for {
		long, short := "data", byte('d')
		if d.chance(60) {
			long, short = d.pick("data-raw", "data-binary", "data-ascii", "data-urlencode"), 0
		}
		value := d.dataValue()
		if long == "data-urlencode" {
			value = d.encodable()
		}
		settings = append(settings, with(long, short, value))
		if !d.chance(35) {
			return settings
		}
	}
}

func (d *draft) dataValue() string {
	switch d.random.IntN(10) {
	case 0:
		return ""
	case 1, 2:
		return "@" + d.source()
	case 3, 4:
		return d.jsonText()
	case 5:
		return d.hardText()
	default:
		return d.pairs()
	}
}

// encodable is a value in one of the five forms of --data-urlencode.
func (d *draft) encodable() string {
	switch d.random.IntN(5) {
	case 0:
		return d.text()
	case 1:
		return "=" + d.text()
	case 2:
		return "@" + d.source()
	case 3:
		return d.word() + "@" + d.source()
	default:
		return d.text() + "=" + d.text()
	}
}

// urlQuery is a value for --url-query.
func (d *draft) urlQuery() string {
	if d.chance(30) {
		return "+" + d.text()
	}
	return d.encodable()
}

// json is one or more --json; before that came, data with its header lines.
func (d *draft) json() []setting {
	if !d.since(7, 82) {
		return []setting{with("data", 'd', d.jsonText()), with("header", 'H', "Content-Type: application/json")}
	}
	settings := []setting{with("json", 0, d.pick(d.jsonText(), d.dataValue()))}
	if d.chance(20) {
		settings = append(settings, with("json", 0, d.pick(",", "", d.jsonText())))
	}
	if d.chance(10) {
		settings = append(settings, d.data()...)
	}
	return settings
}

// upload is one or more --upload-file.
func (d *draft) upload() []setting {
	var settings []setting
	for {
		var value string
		switch d.random.IntN(10) {
		case 0:
			value = ""
		case 1:
			value = "."
		case 2:
			value = "-"
		case 3:
			d.Files["up1"], d.Files["up2"] = []byte("one"), []byte("two")
			value = d.pick("up{1,2}", "up[1-2]", "{up1,up2}")
		default:
			value = d.anyFile()
		}
		if (value == "." || value == "-") && d.Stdin == nil {
			d.Stdin = []byte(d.content())
		}
		settings = append(settings, with("upload-file", 'T', value))
		if !d.chance(15) {
			return settings
		}
	}
}

func (d *draft) head() []setting { return []setting{bare("head", 'I')} }

// form is one or more --form, parts nested in parts among them.
func (d *draft) form() []setting {
	var settings []setting
	if d.since(7, 81) && d.chance(6) {
		settings = append(settings, bare("form-escape", 0))
	}
	open := 0
	for i := 0; i == 0 || d.chance(45); i++ {
		switch {
		case d.chance(10):
			settings = append(settings, with("form-string", 0, d.formName()+"="+d.text()))
		case d.chance(6):
			open++
			kind := d.pick("", ";type=multipart/alternative", ";type=multipart/mixed", `;headers="X-In: y"`)
			settings = append(settings, with("form", 'F', d.pick("", "", "outer")+"=("+kind))
			settings = append(settings, with("form", 'F', "="+d.word()))
		case open > 0 && d.chance(50):
			open--
			settings = append(settings, with("form", 'F', "=)"))
		default:
			settings = append(settings, with("form", 'F', d.formName()+d.formContent()))
		}
	}
	for ; open > 0 && d.chance(80); open-- {
		settings = append(settings, with("form", 'F', "=)"))
	}
	return settings
}

func (d *draft) formName() string {
	if d.chance(15) {
		return strings.ReplaceAll(d.text(), "=", "")
	}
	return d.pick("a", "b", "file", "field", "")
}

// formContent returns the rest of a part after its name, with the =.
func (d *draft) formContent() string {
	var content string
	switch d.random.IntN(10) {
	case 0, 1, 2:
		content = "=" + d.text()
	case 3:
		content = "=" + quoteFormValue(d.text())
	case 4, 5, 6:
		content = "=@" + d.formFile()
	case 7:
		content = "=@" + d.formFile() + "," + d.formFile()
	case 8:
		content = "=<" + d.formFile()
	default:
		content = d.pick("=", "= lead", "=trail ", "=a;b", `="unclosed`, `="a"b`, "=;", "=a;type=", "=@", "=<")
	}
	for d.chance(35) {
		content += d.formAttribute()
	}
	return content
}

func (d *draft) formFile() string {
	name := d.source()
	if d.chance(25) || strings.ContainsAny(name, `,;"`) && d.chance(90) {
		return quoteFormValue(name)
	}
	return name
}

func (d *draft) formAttribute() string {
	switch d.random.IntN(12) {
	case 0, 1, 2:
		return ";type=" + d.pick("text/plain", "image/png", "text/plain; charset=utf-8", "text/x;a=b;c=d", "application/json", `"text/html"`)
	case 3, 4, 5:
		return ";filename=" + d.pick("f", "a b.txt", `"a;b,c"`, `"q\"q\\"`, quoteFormValue(d.line()), d.word(), "")
	case 6:
		return ";headers=" + d.pick(`"X-A: b"`, "X-A: b", `"X-A: b\"c"`, `"Content-Type: x/y"`, `"X"`)
	case 7:
		lines := "# comment\nX-B: c\n\nX-Fold: one\n two\r\n"
		return d.pick(";headers=@", ";headers=<") + d.file("part-headers", lines)
	case 8:
		return ";encoder=" + d.pick("base64", "quoted-printable", "8bit", "binary")
	case 9:
		return d.pick("; type=a/b", " ;filename=f", ";type =a/b", ";TYPE=a/b", ";  filename  =f")
	default:
		return d.pick(";foo=bar", ";", ";type=a", ";type=/", ";encoder=none", ";encoder=7bit", ";filename")
	}
}

// quoteFormValue quotes as --form wants it.
func quoteFormValue(s string) string {
	return fmt.Sprintf(`"%s"`, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s))
}
