// Links that hold a command. It stands in the fragment of the address, which
// browsers do not send.

// longest is the longest address that every browser and mail program takes.
const longest = 30_000;

// address returns the address of this page with a command, or null when it
// would be too long.
export function address(command, shell) {
  const fields = new URLSearchParams({ curl: command });
  if (shell !== "auto") fields.set("shell", shell);
  const url = new URL(location.href);
  url.hash = fields.toString();
  return url.href.length > longest ? null : url.href;
}

// shared returns the command that the address holds, or null.
export function shared() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const command = fields.get("curl");
  if (command === null) return null;
  const shell = fields.get("shell") ?? "auto";
  return { command, shell: ["posix", "cmd", "powershell"].includes(shell) ? shell : "auto" };
}
