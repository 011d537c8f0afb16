package code

import "strings"

// pieces writes the statements that join texts and files, in a stream in C and
// in a string in C++.
func (r *cRequest) pieces() {
	if r.cpp {
		r.p.use("<string>")
		r.p.line("std::string body;")
	} else {
		r.p.use("<string.h>")
		r.p.line("char *body;")
		r.p.line("size_t size;")
		r.p.line("FILE *memory = open_memstream(&body, &size);")
	}
	add := func(t text) {
		r.with(t, "text", func(s string) {
			if r.cpp {
				r.p.line("body += ", s, ";")
			} else {
				r.p.line("fputs(", s, ", memory);")
			}
		})
	}
	for _, one := range r.c.body.list {
		if one.isText {
			add(one.text)
			continue
		}
		if len(one.name) > 0 {
			add(one.prefix())
		}
		if one.file.source() == "-" {
			one.file = literal("/dev/stdin")
		}
		function := r.cReader(&one)
		r.with(one.file, "path", func(s string) {
			switch {
			case r.cpp && one.urlencode:
				r.p.use("<cctype>")
				r.p.use("<cstdio>")
				r.p.use("<cstring>")
				r.p.help(cppEncode)
				r.p.line("body += percent_encode(", function, "(", s, `), "+");`)
			case r.cpp:
				r.p.line("body += ", function, "(", s, ");")
			default:
				r.p.line(function, "(memory, ", s, ");")
			}
		})
	}
	if r.cpp {
		r.setopt("POSTFIELDSIZE_LARGE", "(curl_off_t)body.size()")
		r.setopt("POSTFIELDS", "body.data()")
		return
	}
	r.p.line("fclose(memory);")
	r.setopt("POSTFIELDSIZE_LARGE", "(curl_off_t)size")
	r.setopt("POSTFIELDS", "body")
	r.cleanup = append(r.cleanup, "free(body);")
}

// cReader adds the function that reads a file and changes it as curl does, and
// returns its name.
func (r *cRequest) cReader(one *piece) string {
	name, put := "append_file", "putc(c, out);"
	if one.strip {
		name += "_line"
		put = "if (c != '\\r' && c != '\\n' && c != '\\0') {\n            putc(c, out);\n        }"
	}
	if one.urlencode {
		if !r.cpp {
			r.p.use("<ctype.h>")
		}
		name += "_encoded"
		put = "if (isalnum(c) || (c && strchr(\"-._~\", c))) {\n            putc(c, out);\n        } else if (c == ' ') {\n            putc('+', out);\n" +
			"        } else {\n            fprintf(out, \"%%%02X\", (unsigned)c);\n        }"
	}
	skip := ""
	if one.offset > 0 {
		name += "_from_" + itoa(int(one.offset))
		skip = "    fseek(in, " + itoa(int(one.offset)) + ", SEEK_SET);\n"
	}
	if r.cpp {
		name = "read" + strings.TrimSuffix(strings.TrimPrefix(name, "append"), "_encoded")
		r.p.use("<fstream>")
		r.p.use("<stdexcept>")
		r.p.use("<string>")
		change := "text += c;"
		if one.strip {
			change = "if (c != '\\r' && c != '\\n' && c != '\\0') {\n            text += c;\n        }"
		}
		if skip != "" {
			skip = "    in.seekg(" + itoa(int(one.offset)) + ");\n"
		}
		r.p.help("static std::string " + name + "(const std::string &name)\n{\n    std::ifstream in(name, std::ios::binary);\n" +
			"    if (!in) {\n        throw std::runtime_error(\"cannot read \" + name);\n    }\n" + skip +
			"    std::string text;\n    for (char c; in.get(c);) {\n        " + change + "\n    }\n    return text;\n}\n")
		return name
	}
	r.p.help("static void " + name + "(FILE *out, const char *name)\n{\n" + cOpen + skip +
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
