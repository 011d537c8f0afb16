package cli

// The pages of uncoil help, -h and the manual.

// rootPage explains uncoil itself. Its flags are those of convert.
var rootPage = Page{
	Arguments: "[SUBCOMMAND] [flags] [COMMAND | -]",
	Text: `uncoil turns a curl command into the HTTP request that curl would send. Without
a subcommand it converts the command: method, url, headers and data, as JSON.

COMMAND is one argument, so it needs quotes; the name of a file stands for its
text. If it is missing or -, uncoil reads it from standard input. In place of a
command it may be a request as another program has it, such as a HAR file or a
call of fetch; uncoil parse -h names the forms at -shell. Flags stand before or
after it, with one dash or two. A command may also stand without quotes, after
all flags: what follows the word curl is the command's.

The name of a target as subcommand is uncoil code -to: uncoil python 'curl …'.

uncoil sends nothing, and reads no files except those that arguments, -file,
-files and -stdin name. batch, serve and mcp read none.

The answer goes to standard output, and errors and doubts about it go to
standard error: the place, the code, the line with a caret, and a hint. The exit
code is 0, or 1 if the command could not be converted, or 2 for wrong usage. On
a terminal the answer, the code and the caret have colours, unless NO_COLOR is
set or TERM is dumb.
`,
	Examples: []string{
		"uncoil 'curl -d a=1 https://example.com'",
		"uncoil curl -d a=1 https://example.com",
		"uncoil python 'curl -d a=1 https://example.com'",
		"pbpaste | uncoil parse",
	},
}

// sections are the subcommands as the overview groups them.
var sections = []struct{ title, names string }{
	{"One command", "convert parse explain diff code targets curl"},
	{"Many commands", "batch lint extract snippets fmt"},
	{"Services and others", "serve health lsp mcp completion version"},
}

// The groups of flags that convert, parse and code have.
var (
	textGroup  = Group{Title: "How the text is written", Flags: "shell"}
	namesGroup = Group{Title: "What the command names", Flags: "env file files stdin"}
)

var convertPage = Page{
	Arguments: "[flags] [COMMAND | -]",
	Text: `Writes the request that a curl command would send as a JSON object with four
members: method, url, headers and data. It is an error if the command sends
several requests, or if the body is not text or lies in a file that is missing.
`,
	Examples: []string{
		`uncoil convert -env TOKEN=t 'curl -H "A: $TOKEN" https://example.com'`,
		"uncoil convert -files . 'curl -d @body.json https://example.com'",
	},
	Groups: []Group{textGroup, namesGroup, {Title: "The answer", Flags: "to o data hide-secrets q"},
		{Title: "Other flags", Flags: "entry env-file fail-on warnings", Rare: true}},
}

var parsePage = Page{
	Arguments: "[flags] [COMMAND | -]",
	Text: `Writes the full description of all requests that the curl commands would send
as JSON: header fields with the options that set them, bodies of any kind,
the options for redirects, TLS, proxies and timeouts, and warnings.
`,
	Examples: []string{
		"uncoil parse 'curl -L https://example.com/[1-3]'",
		"uncoil parse -entry 3 < recorded.har",
	},
	Groups: []Group{textGroup, namesGroup, {Title: "The answer", Flags: "to o hide-secrets q"},
		{Title: "Other flags", Flags: "entry env-file fail-on", Rare: true}},
}

var explainPage = Page{
	Arguments: "[flags] [COMMAND | -]",
	Text: `Writes for each option of the curl commands what it does, and which part of the
request it set here: the method, a header field, the body, an option such as a
time limit. It also says which options have no bearing on the request.
`,
	Examples: []string{"uncoil explain 'curl -sSL -H \"Accept: text/html\" https://example.com'"},
	Groups: []Group{textGroup, namesGroup, {Title: "The answer", Flags: "json o q"},
		{Title: "Other flags", Flags: "entry env-file fail-on", Rare: true}},
}

var diffPage = Page{
	Arguments: "[flags] A B",
	Text: `Says what differs between the requests of two texts: the method, the parts of
the URL, header fields, cookies, content by what it means, and options such as
a proxy. Each is a command, the name of a file (a HAR file, requests in an .http
file, a collection) or - for standard input. The exit code is 0 where both send
the same request, 1 where they do not, and 2 where a text cannot be read.
`,
	Examples: []string{
		"uncoil diff 'curl -d a=1 https://example.com' request.sh",
		"uncoil diff -entry-a 12 works.har 'curl https://example.com/api'",
	},
	Groups: []Group{textGroup, namesGroup, {Title: "The answer", Flags: "entry-a entry-b hide-secrets json q"},
		{Title: "Other flags", Flags: "entry env-file fail-on", Rare: true}},
}

var codePage = Page{
	Arguments: "-to TARGET [flags] [COMMAND | -]",
	Text: `Writes what a curl command would send as a program in a language, as a file that
another tool opens, or as a command again. Variables that are not known are read
from the environment of the program. What the client cannot do is a doubt on
standard error, or an error where it would send another request.
`,
	Examples: []string{"uncoil code -to python 'curl -d a=1 https://example.com'"},
	Groups: []Group{
		// One group, so that all flags fit on a screen.
		{Title: "Flags", Flags: "to o style bare keep drop-noise move-secrets q " + textGroup.Flags + " " + namesGroup.Flags},
		{Title: "Other flags", Flags: "function decode-json check-status", Rest: true, Rare: true},
	},
}

var targetsPage = Page{
	Arguments: "[flags] [WORD …]",
	Text: `Lists what uncoil code writes: programs, files that other tools open, and
commands. A line has the name, the language, the client or the tool with the
oldest version that will do, and other names. With words, only those that all
are about: a language, a kind (code, file or command), a name or a client.
`,
	Examples: []string{"uncoil targets python", "uncoil targets -json file"},
	Groups:   []Group{{Title: "Flags", Flags: "json"}},
}

var formatPage = Page{
	Arguments: "[flags] [FILE …]",
	Text: `Lays out the curl commands of shell scripts, and of the blocks of code in
Markdown, reStructuredText and AsciiDoc: one that is too long for a line of 80
columns gets a line for each option, and lines on which a command goes on are
indented alike. Only the blanks between its words change. Without files it
formats standard input. What a shell would not take stays as it is.

With -w, a file is replaced by a new one: should the disk be full, the old one
stays whole. Symbolic links stay, and so do mode and, where that is allowed,
owner. A file with other hard links is refused.
`,
	Examples: []string{"pbpaste | uncoil fmt", "uncoil fmt -w deploy.sh", "uncoil fmt -l *.sh"},
	Groups:   []Group{{Title: "Flags", Flags: "w l d shell"}},
}

var healthPage = Page{
	Arguments: "[flags]",
	Text: `Asks the service on this machine whether it is ready: the exit code is 0, or 1
if it is not. The address comes from UNCOIL_ADDR unless -addr has it.
`,
	Groups: []Group{{Title: "Flags", Flags: "addr"}},
}

var completionPage = Page{
	Arguments: "[bash|zsh|fish|powershell]",
	Text: `Prints a script that completes subcommands, flags, targets and shells. Without a
name it is for the shell that SHELL names:

  bash        source <(uncoil completion bash)
  zsh         uncoil completion zsh > "${fpath[1]}/_uncoil"
  fish        uncoil completion fish > ~/.config/fish/completions/uncoil.fish
  PowerShell  uncoil completion powershell | Out-String | Invoke-Expression
`,
}

var barePage = Page{
	Arguments: "…",
	Text: `Put uncoil before any curl command to convert it: your shell reads the command,
so it needs no quotes around it. If the command reads standard input, uncoil
reads it too. There are no flags; use uncoil convert for those.
`,
	Examples: []string{
		"uncoil curl -X DELETE https://example.com/1",
		"uncoil curl -d @- https://example.com < body.json",
	},
}

var batchPage = Page{
	Arguments: "[flags]",
	Text: `Reads a JSON object from each line of standard input and writes one line with
the answer to standard output, in the same order. The member curl is the
command; id, as, files, stdin, env and shell are optional. A line that begins
with curl is a command as it stands. An answer has the id and either result or
error. An error in one line changes neither the other lines nor, without -fail,
the exit code.
`,
	Examples: []string{
		`echo '{"id": 1, "curl": "curl https://example.com"}' | uncoil batch`,
		"uncoil batch -as parse < commands.txt > requests.ndjson",
		"uncoil extract docs/ | uncoil batch -to python",
	},
	Groups: []Group{{Title: "Flags", Flags: "as to fail j"}},
}

var versionPage = Page{
	Text: `Writes the version of uncoil, the version of Go, and the commit of the build.
`,
}

var helpPage = Page{
	Arguments: "[SUBCOMMAND]",
	Text: `Explains a subcommand, or uncoil itself. The flag -h shows the same in short.
`,
}

var mcpPage = Page{
	Text: `Answers an agent by the Model Context Protocol, on standard input and output.
Its tools are convert_curl, describe_curl, curl_to_code and check_curl. uncoil
serve answers the same at /mcp. It sends nothing, and reads no files: the agent
passes the contents of files that a command names.

A client such as an editor starts it:

  {"mcpServers": {"uncoil": {"command": "uncoil", "args": ["mcp"]}}}
`,
}

var lspPage = Page{
	Arguments: "[flags]",
	Text: `Answers an editor by the Language Server Protocol, on standard input and output:
what uncoil lint finds while you type, with its fixes, what an option does under
the pointer, and the command as a program. It sends nothing, and reads no files:
the editor passes the text of each that is open. docs/editors.md has the lines
for Neovim, Helix, Emacs and VS Code.

Settings (initializationOptions, or the section uncoil): advice, targets, docs.
`,
	Examples: []string{"uncoil lsp"},
	Groups:   []Group{{Title: "Flags", Flags: "advice stdio"}},
}

var extractPage = Page{
	Arguments: "[FILE | FOLDER | -]…",
	Text: `Finds the curl commands in documentation (Markdown, HTML), shell scripts and
histories, logs and notebooks, and writes a line for uncoil batch for each:
the member id has the file, the line and the column, and curl the command.

In a folder it leaves out symbolic links, binary files, files of more than
16 MiB, folders named .git, node_modules and vendor, and what .gitignore does.
`,
	Examples: []string{
		"uncoil extract docs/ | uncoil batch",
		"uncoil extract ~/.bash_history | uncoil batch -as parse",
	},
	Groups: []Group{{Title: "Flags", Flags: "exclude"}},
}

var lintPage = Page{
	Arguments: "[flags] [FILE | FOLDER | -]…",
	Text: `Checks every curl command in documentation, scripts, histories, logs and
notebooks: options that curl does not know, quotes that are not closed, lines
that lack their backslash, and whatever else is probably not meant. uncoil help
extract says which files it reads. The exit code is 1 if it finds something, and
2 if a file cannot be read.

With -openapi, commands that go to a server of that OpenAPI document are held
against it: path, method, parameters, content and its type, credentials. So are
the examples in the document; without files, only those are checked.

A file .uncoil.yaml, here or in a folder above, may set rules off or to another
level, for all files or some, and name what else is a flag here. With -baseline,
findings that a file lists are left out: -write-baseline makes that file of what
is found today. A finding is known by its file, its rule and the text of its
line, and counted, so that a second one is found.

A comment uncoil-ignore lets the next command be as it is; after a colon may
stand the codes that are meant. uncoil-ignore-start and uncoil-ignore-end stand
around several commands, and uncoil-ignore-file is for a whole file.
`,
	Examples: []string{
		"uncoil lint docs/",
		"uncoil lint -fix docs/",
		"uncoil lint -format github docs/ README.md",
		"uncoil lint -format sarif docs/ > uncoil.sarif",
		"uncoil lint -openapi openapi.yaml docs/",
		"uncoil lint -baseline .uncoil-baseline.json -write-baseline docs/",
		"uncoil lint -rule insecure=error -since origin/main docs/",
	},
	Groups: []Group{{Title: "Flags", Flags: "advice baseline config exclude explain fix format openapi rule server since write-baseline"}},
}

var snippetsPage = Page{
	Arguments: "[flags] [FILE | FOLDER]…",
	Text: `Keeps programs in documents (Markdown, MDX, AsciiDoc, reStructuredText) in step
with the curl command of the block of code above them. A comment names targets:

  <!-- uncoil-snippets: python, go -->

What stands between it and <!-- uncoil-snippets-end --> is written anew, unless
somebody has edited it; without an end yet, both are added below. In MDX the
comment is {/* … */}, in AsciiDoc // …, in reStructuredText .. …. It may also
have tabs=T, style=S and bare=yes.

With -openapi it writes x-codeSamples into the operations of a document, from
the examples in it and variables where it has none; the rest keeps its bytes.

With -check nothing is written, and the exit code is 1 if something is stale. A
command that a target cannot send leaves its file as it is. The exit code is 2
if a file cannot be read or written.
`,
	Examples: []string{
		"uncoil snippets docs/",
		"uncoil snippets -check docs/",
		"uncoil snippets -to python,go,node -tabs vitepress docs/",
		"uncoil snippets -openapi openapi.yaml -to python,go,node",
	},
	Groups: []Group{{Title: "Flags", Flags: "to tabs style bare openapi o check force exclude q"}},
}
