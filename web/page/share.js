// Links that contain a command. It is in the fragment of the URL, which browsers
// do not send.

// longest is the longest URL that all browsers and mail programs accept.
const longest = 30_000;

// address returns the URL of this page with a command, or null if it would be too
// long.
export function address(command, shell) {
  const fields = new URLSearchParams({ curl: command });
  if (shell !== "auto") fields.set("shell", shell);
  const url = new URL(location.href);
  url.hash = fields.toString();
  return url.href.length > longest ? null : url.href;
}

// shared returns the command in the URL, or null.
export function shared() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const command = fields.get("curl");
  if (command === null) return null;
  const shell = fields.get("shell") ?? "auto";
  return { command, shell: ["posix", "cmd", "powershell", "har", "http", "fetch"].includes(shell) ? shell : "auto" };
}
