package cli

// The texts of uncoil help and of -h.

const overview = `Uncoil turns a curl command into the HTTP request that curl would send.

Usage:

  uncoil 'curl …'                 convert a command: method, url, headers, data
  uncoil convert [flags] COMMAND  the same, with flags
  uncoil parse [flags] COMMAND    describe every request in full
  uncoil code -to TARGET COMMAND  write a program that sends the requests
  uncoil targets                  list the languages, clients and files for uncoil code
  uncoil fmt [flags] [FILE …]     lay out the curl commands of a text
  uncoil curl …                   convert a command without quotes around it
  uncoil batch [flags]            convert many commands: NDJSON in, NDJSON out
  uncoil extract PATH…            find the curl commands in files: NDJSON for batch
  uncoil lint PATH…               check the curl commands in files
  uncoil serve [flags]            run an HTTP service with the same answers
  uncoil mcp                      answer an agent (Model Context Protocol)
  uncoil health [flags]           ask a service whether it is ready
  uncoil completion SHELL         print a script that completes arguments
  uncoil version                  print the version
  uncoil help SUBCOMMAND          explain a subcommand

COMMAND is one argument, so it needs quotes. If it is missing or -, uncoil reads
it from standard input. In place of a command it may be a HAR file,
an HTTP request, or a call of fetch as browsers copy it. Uncoil sends nothing,
and reads no files except those that -file and -files name, and those that
extract and lint are given.

Examples:

  uncoil 'curl -d a=1 https://example.com'
  uncoil curl -d a=1 https://example.com
  pbpaste | uncoil parse

Uncoil writes the answer to standard output as JSON, and errors and doubts to
standard error. The exit code is 1 if the command could not be converted, and
2 if uncoil was used in a wrong way.
`

const convertHelp = `Usage: uncoil convert [flags] [COMMAND | -]

Writes the request that a curl command would send as a JSON object with four
members: method, url, headers and data. It is an error if the command sends
several requests, or if the body is not text or lies in a file that is missing.

Examples:

  uncoil convert 'curl -d a=1 https://example.com'
  uncoil convert -env TOKEN=t 'curl -H "Authorization: Bearer $TOKEN" https://example.com'
  uncoil convert -files . 'curl -d @body.json https://example.com'
  uncoil convert -shell cmd < copied.txt
`

const parseHelp = `Usage: uncoil parse [flags] [COMMAND | -]

Writes the full description of all requests that the curl commands would send
as JSON: header fields with the options that set them, bodies of any kind,
the options for redirects, TLS, proxies and timeouts, and warnings.

Examples:

  uncoil parse 'curl -L https://example.com/[1-3]'
  uncoil parse -file photo.png=/tmp/a.png 'curl -F f=@photo.png https://example.com'
  uncoil parse -entry 3 < recorded.har
`

const codeHelp = `Usage: uncoil code -to TARGET [flags] [COMMAND | -]

Writes a program that sends what a curl command would send, in a language and
with a client that -to names, or a file that another tool opens. Variables that are not known are read from the
environment of the program. What the client cannot do is a doubt on standard
error, or an error where it would send another request.

Examples:

  uncoil code -to python 'curl -d a=1 https://example.com'
  uncoil code -to go -bare 'curl -F f=@a.png https://example.com'
`

const targetsHelp = `Usage: uncoil targets

Lists what uncoil code writes: programs, files that other tools open, and
commands. A line has the name, the language, the client or the tool with the
oldest version that will do, and other names.
`

const formatHelp = `Usage: uncoil fmt [flags] [FILE …]

Lays out the curl commands of a text, such as a shell script, as gofmt does
with a program: an option on each line, or the whole on one line where it has
80 columns, and words in the plainest quotes. Words and their order stay, and
all else in the text does. Without files it formats standard input.

Examples:

  pbpaste | uncoil fmt
  uncoil fmt -w deploy.sh
  uncoil fmt -l *.sh
`

const healthHelp = `Usage: uncoil health [flags]

Asks the service on this machine whether it is ready: the exit code is 0, or 1
if it is not. The address comes from UNCOIL_ADDR unless -addr has it.
`

const completionHelp = `Usage: uncoil completion bash|zsh|fish|powershell

Prints a script that completes subcommands, flags, targets and shells:

  bash        source <(uncoil completion bash)
  zsh         uncoil completion zsh > "${fpath[1]}/_uncoil"
  fish        uncoil completion fish > ~/.config/fish/completions/uncoil.fish
  PowerShell  uncoil completion powershell | Out-String | Invoke-Expression
`

const bareHelp = `Usage: uncoil curl …

Put uncoil before any curl command to convert it: your shell reads the command,
so it needs no quotes around it. If the command reads standard input, uncoil
reads it too. There are no flags; use uncoil convert for those.

Examples:

  uncoil curl -X DELETE https://example.com/1
  uncoil curl -d @- https://example.com < body.json
`

const batchHelp = `Usage: uncoil batch [flags]

Reads a JSON object from each line of standard input and writes one line with
the answer to standard output, in the same order. The member curl is the
command; id, as, files, stdin, env and shell are optional. A line that begins
with curl is a command as it stands. An answer has the id
and either result or error. An error in one line changes neither the other
lines nor the exit code.

Examples:

  echo '{"id": 1, "curl": "curl https://example.com"}' | uncoil batch
  uncoil batch -as parse < commands.ndjson > requests.ndjson
`

const versionHelp = `Usage: uncoil version

Writes the version of uncoil, the version of Go, and the commit of the build.
`

const mcpHelp = `Usage: uncoil mcp

Answers an agent by the Model Context Protocol, on standard input and output.
Its tools are convert_curl, describe_curl, curl_to_code and check_curl. uncoil
serve answers the same at /mcp. It sends nothing, and reads no files: the agent
passes the contents of files that a command names.

A client such as an editor starts it:

  {"mcpServers": {"uncoil": {"command": "uncoil", "args": ["mcp"]}}}
`
