package cfamily

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// pieces writes the statements that join texts and files, in a stream in C and
// in a string in C++.
func (r *cRequest) pieces() {
	if r.cpp {
		r.p.Use("<string>")
		r.p.Line("std::string body;")
	} else {
		r.p.Use("<string.h>")
		r.p.Line("char *body;")
		r.p.Line("size_t size;")
		r.p.Line("FILE *memory = open_memstream(&body, &size);")
	}
	add := func(t plan.Text) {
		r.with(t, "text", func(s string) {
			if r.cpp {
				r.p.Line("body += ", s, ";")
			} else {
				r.p.Line("fputs(", s, ", memory);")
			}
		})
	}
	for _, one := range r.C.Content.List {
		if one.IsText {
			add(one.Text)
			continue
		}
		if len(one.Name) > 0 {
			add(one.Prefix())
		}
		if one.File.Source() == "-" {
			one.File = plan.Literal("/dev/stdin")
		}
		function := r.cReader(&one)
		r.with(one.File, "path", func(s string) {
			switch {
			case r.cpp && one.Urlencode:
				r.p.Use("<cctype>")
				r.p.Use("<cstdio>")
				r.p.Use("<cstring>")
				r.p.Help(cppEncode)
				r.p.Line("body += percent_encode(", function, "(", s, `), "+");`)
			case r.cpp:
				r.p.Line("body += ", function, "(", s, ");")
			default:
				r.p.Line(function, "(memory, ", s, ");")
			}
		})
	}
	if r.cpp {
		r.setopt("POSTFIELDSIZE_LARGE", "(curl_off_t)body.size()")
		r.setopt("POSTFIELDS", "body.data()")
		return
	}
	r.p.Line("fclose(memory);")
	r.setopt("POSTFIELDSIZE_LARGE", "(curl_off_t)size")
	r.setopt("POSTFIELDS", "body")
	r.cleanup = append(r.cleanup, "free(body);")
}

// cReader adds the function that reads a file and changes it as curl does, and
// returns its name.
func (r *cRequest) cReader(one *plan.Piece) string {
	name, put := "append_file", "putc(c, out);"
	if one.Strip {
		name += "_line"
		put = "if (c != '\\r' && c != '\\n' && c != '\\0') {\n            putc(c, out);\n        }"
	}
	if one.Urlencode {
		if !r.cpp {
			r.p.Use("<ctype.h>")
		}
		name += "_encoded"
		put = "if (isalnum(c) || (c && strchr(\"-._~\", c))) {\n            putc(c, out);\n        } else if (c == ' ') {\n            putc('+', out);\n" +
			"        } else {\n            fprintf(out, \"%%%02X\", (unsigned)c);\n        }"
	}
	skip := ""
	if one.Offset > 0 {
		name += "_from_" + emit.Itoa(int(one.Offset))
		skip = "    fseek(in, " + emit.Itoa(int(one.Offset)) + ", SEEK_SET);\n"
	}
	if r.cpp {
		name = "read" + strings.TrimSuffix(strings.TrimPrefix(name, "append"), "_encoded")
		r.p.Use("<fstream>")
		r.p.Use("<stdexcept>")
		r.p.Use("<string>")
		change := "text += c;"
		if one.Strip {
			change = "if (c != '\\r' && c != '\\n' && c != '\\0') {\n            text += c;\n        }"
		}
		if skip != "" {
			skip = "    in.seekg(" + emit.Itoa(int(one.Offset)) + ");\n"
		}
		r.p.Help("static std::string " + name + "(const std::string &name)\n{\n    std::ifstream in(name, std::ios::binary);\n" +
			"    if (!in) {\n        throw std::runtime_error(\"cannot read \" + name);\n    }\n" + skip +
			"    std::string text;\n    for (char c; in.get(c);) {\n        " + change + "\n    }\n    return text;\n}\n")
		return name
	}
	r.p.Help("static void " + name + "(FILE *out, const char *name)\n{\n" + cOpen + skip +
		"    for (int c; (c = getc(in)) != EOF;) {\n        " + put + "\n    }\n    fclose(in);\n}\n")
	return name
}

// The functions that programs need.
const (
	cOpen = `    FILE *in = fopen(name, "rb");
    if (!in) {
        perror(name);
        exit(EXIT_FAILURE);
    }
`
	cOpenFile = `static FILE *open_file(const char *name, curl_off_t *size)
{
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        perror(name);
        exit(EXIT_FAILURE);
    }
    *size = ftell(file);
    rewind(file);
    return file;
}
`
	cMakeFolders = `static void make_folders(const char *path)
{
    char *folder = strdup(path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, 0750);
        *slash = '/';
    }
    free(folder);
}
`
	cEnv = `static const char *env(const char *name)
{
    const char *value = getenv(name);
    if (!value) {
        fprintf(stderr, "%s is not set\n", name);
        exit(EXIT_FAILURE);
    }
    return value;
}
`
	cEnvOr = `static const char *env_or(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}
`
	cFormat = `static char *format(const char *template, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, template);
    if (vasprintf(&text, template, arguments) < 0) {
        abort();
    }
    va_end(arguments);
    return text;
}
`
	cEncode = `static char *percent_encode(const char *s, const char *blank)
{
    char *encoded = malloc(3 * strlen(s) + 1), *end = encoded;
    if (!encoded) {
        abort();
    }
    for (; *s; s++) {
        if (*s == ' ') {
            end += sprintf(end, "%s", blank);
        } else if (isalnum((unsigned char)*s) || strchr("-._~", *s)) {
            *end++ = *s;
        } else {
            end += sprintf(end, "%%%02X", (unsigned char)*s);
        }
    }
    *end = '\0';
    return encoded;
}
`
	cppEnv = `static std::string env(const char *name)
{
    const char *value = std::getenv(name);
    if (!value) {
        throw std::runtime_error(std::string(name) + " is not set");
    }
    return value;
}
`
	cppEnvOr = `static std::string env_or(const char *name, const char *otherwise)
{
    const char *value = std::getenv(name);
    return value && *value ? value : otherwise;
}
`
	cppEncode = `static std::string percent_encode(const std::string &s, const char *blank)
{
    std::string encoded;
    for (unsigned char c : s) {
        if (c == ' ') {
            encoded += blank;
        } else if (std::isalnum(c) || (c && std::strchr("-._~", c))) {
            encoded += (char)c;
        } else {
            char escape[4];
            std::snprintf(escape, sizeof escape, "%%%02X", (unsigned)c);
            encoded += escape;
        }
    }
    return encoded;
}
`
)
