// The switches of a conversion and of a program: members of the options, and the flags
// of the command line.
// Generated from internal/edge/switches: switches.
export const switches = [
  { name: "shell", scope: "reading", flag: "shell", text: "auto, posix, cmd, powershell, har, http, fetch, http-file or postman", argument: "S" },
  { name: "entry", scope: "reading", flag: "entry", text: "answer only this request of a HAR file, an .http file or a collection, counted from 1", argument: "N", number: true },
  { name: "data", scope: "converting", flag: "data", text: "make data the exact body as a string, JSON and forms too", argument: "text" },
  { name: "warnings", scope: "converting", flag: "warnings", text: "add the warnings to the answer" },
  { name: "target", scope: "programs" },
  { name: "style", scope: "programs", flag: "style", text: "idiomatic (default) or exact, which keeps curl's bytes", argument: "STYLE" },
  { name: "bare", scope: "programs", flag: "bare", text: "leave out the imports and the printing of the response" },
  { name: "variables", scope: "programs", flag: "keep", text: "leave variables as they were typed", word: "keep" },
  { name: "dropNoise", scope: "programs", flag: "drop-noise", text: "leave out what only browsers send" },
  { name: "moveSecrets", scope: "programs", flag: "move-secrets", text: "put variables in place of passwords, tokens and cookies" },
  { name: "function", scope: "programs", flag: "function", text: "write a function with the variables and placeholders as parameters; auto names it after the request", argument: "NAME" },
  { name: "rawParameters", scope: "programs", flag: "raw-parameters", text: "insert parameters and variables for placeholders as they are, and encode none" },
  { name: "decodeJson", scope: "programs", flag: "decode-json", text: "decode the response as JSON" },
  { name: "checkStatus", scope: "programs", flag: "check-status", text: "make a status of 400 and more an error of the program" },
  { name: "indent", scope: "programs", flag: "indent", text: "one level of indentation: so many spaces, tab, or the spaces or tabs themselves", argument: "N" },
  { name: "longNames", scope: "programs", flag: "long-names", text: "write --header for -H in commands" },
  { name: "dropCookies", scope: "programs", flag: "drop-cookies", text: "leave out cookies" },
  { name: "placeholders", scope: "programs", flag: "placeholders", text: "variables for {id}, <id>, :id and YOUR_ID, or text, as they were typed", argument: "WHAT" },
  { name: "commonJs", scope: "programs", flag: "commonjs", text: "load the modules of Node by require" },
  { name: "csharp7", scope: "programs", flag: "csharp7", text: "keep to C# 7.3, as Unity and .NET Framework have it" },
];
// End of switches.
