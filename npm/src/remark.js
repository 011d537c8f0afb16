// A plugin for remark that adds programs to the curl commands of Markdown and MDX: to a
// block of code with uncoil=python,go in the text behind its language.
import { load, UncoilError } from "./index.js";
import { languages } from "./languages.js";

const shells = ["sh", "bash", "shell", "zsh", "console", "shellsession", "terminal", "curl", "fish", "powershell", "pwsh", "ps1", "cmd", "bat", "batch", "text"];

// What the components of tabs are called, and where a page of MDX takes them from.
const components = {
  docusaurus: { group: "Tabs", item: "TabItem", label: "label", value: "value", sync: { groupId: "language" }, imports: { Tabs: "@theme/Tabs", TabItem: "@theme/TabItem" } },
  starlight: { group: "Tabs", item: "TabItem", label: "label", sync: { syncKey: "language" }, from: "@astrojs/starlight/components" },
};

const programOptions = ["variables", "bare", "longNames", "dropNoise", "dropCookies", "moveSecrets", "indent", "style"];

/** Adds programs below the curl commands of a document, or in tabs beside them. */
export default function remarkUncoil(options = {}) {
  const { to = [], tabs = "plain", source = true, doubts = false, ...program } = options;
  const unknown = Object.keys(program).find((name) => !programOptions.includes(name));
  if (unknown !== undefined) throw new TypeError(`uncoil has no option ${unknown}; the options are ${["to", "tabs", "source", "doubts", ...programOptions].join(", ")}`);
  const layout = typeof tabs === "string" ? components[tabs] : tabs;
  if (!layout && tabs !== "plain") throw new TypeError(`tabs must be plain, ${Object.keys(components).join(", ")}, or an object with the names of components`);
  return async (tree, file) => {
    const blocks = found(tree, []);
    if (blocks.length === 0) return;
    const engine = await load();
    const known = new Map(engine.targets().flatMap((target) => [target.name, ...target.aliases].map((name) => [name, target])));
    // From behind, so that the places of the blocks before stay what they are.
    for (const { parent, node, names } of blocks.reverse()) {
      const targets = (names.length > 0 ? names : [to].flat()).map((name) => known.get(name.toLowerCase()) ?? file.fail(`uncoil knows no target ${name}`, node, "uncoil:unknown-target"));
      if (targets.length === 0) file.fail("uncoil is given no target, as in uncoil=python,go", node, "uncoil:unknown-target");
      const programs = targets.map((target) => written(engine, node, target, program, doubts, file));
      const labels = labelsOf(targets);
      if (source) {
        programs.unshift(node);
        labels.unshift("curl");
      }
      parent.children.splice(parent.children.indexOf(node), 1, ...(layout ? [group(layout, programs, labels, targets, source)] : programs));
      if (layout) imported(tree, layout);
    }
  };
}

// found returns the blocks that name targets, with the names.
function found(parent, blocks) {
  for (const node of parent.children ?? []) {
    if (node.type !== "code") {
      found(node, blocks);
      continue;
    }
    const meta = / (?:uncoil(?:=(\S*))?)(?= )/.exec(` ${node.meta ?? ""} `);
    if (!meta || !shells.includes(node.lang?.toLowerCase())) continue;
    // What else stands there is for others, such as a title.
    node.meta = ` ${node.meta} `.replace(meta[0], "").trim() || null;
    blocks.push({ parent, node, names: (meta[1] ?? "").split(",").filter(Boolean) });
  }
  return blocks;
}

// written returns a block with the program of a target.
function written(engine, node, target, options, doubts, file) {
  const place = (line) => (node.position && line ? { line: node.position.start.line + line, column: 1 } : node);
  const shell = { fish: "posix", powershell: "powershell", pwsh: "powershell", ps1: "powershell", cmd: "cmd", bat: "cmd", batch: "cmd" }[node.lang?.toLowerCase()];
  try {
    const { code, warnings } = engine.code(node.value, target.name, { ...options, ...(shell && { shell }) });
    for (const warning of doubts ? warnings.filter(({ level }) => level === "doubt") : []) {
      file.message(`${target.name}: ${warning.message}`, place(warning.line), `uncoil:${warning.code}`);
    }
    return { type: "code", lang: languages[target.language].highlighter, meta: null, value: code.replaceAll("\r\n", "\n").replace(/\n$/, "") };
  } catch (error) {
    if (!(error instanceof UncoilError)) throw error;
    return file.fail(`${target.name}: ${error.message}${error.hint ? ` (${error.hint})` : ""}`, place(error.line), `uncoil:${error.code}`);
  }
}

// labelsOf returns what the tabs are called: the language, with the client where several
// have it.
function labelsOf(targets) {
  const plain = targets.map(({ kind, language, client }) => (kind === "code" ? languages[language].name : client));
  return plain.map((label, i) => {
    if (plain.filter((other) => other === label).length < 2) return label;
    const { client, language } = targets[i];
    return `${label} (${client === label ? languages[language].name : client})`;
  });
}

const attributes = (values) => Object.entries(values).map(([name, value]) => ({ type: "mdxJsxAttribute", name, value }));
const element = (name, values, children) => ({ type: "mdxJsxFlowElement", name, attributes: attributes(values), children });

// group returns the elements of MDX around some blocks.
function group({ group: name, item, label = "label", value, sync = {} }, blocks, labels, targets, source) {
  const names = [...(source ? ["curl-source"] : []), ...targets.map((target) => target.name)];
  const items = blocks.map((block, i) => element(item, { ...(value && { [value]: names[i] }), [label]: labels[i] }, [block]));
  return element(name, sync, items);
}

// imported adds the imports of the components, unless the page has names like them.
function imported(tree, { group: name, item, imports, from }) {
  const pairs = imports ?? (from ? { [name]: from, [item]: from } : {});
  for (const [local, source] of Object.entries(pairs)) {
    const has = tree.children.some((node) => node.type === "mdxjsEsm" && new RegExp(`\\b${local}\\b`).test(node.value));
    if (has) continue;
    const id = { type: "Identifier", name: local };
    const specifier = imports ? { type: "ImportDefaultSpecifier", local: id } : { type: "ImportSpecifier", imported: { ...id }, local: id };
    const literal = { type: "Literal", value: source, raw: JSON.stringify(source) };
    tree.children.unshift({
      type: "mdxjsEsm",
      value: `import ${imports ? local : `{ ${local} }`} from ${literal.raw}`,
      data: { estree: { type: "Program", sourceType: "module", body: [{ type: "ImportDeclaration", specifiers: [specifier], source: literal, attributes: [] }] } },
    });
  }
}
