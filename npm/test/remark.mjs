// The plugin for remark, in documents that remark and MDX read and write.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// tools loads a module for tests from the folder web.
const tools = (root) => (name) => import(pathToFileURL(join(root, "web", "node_modules", name, "index.js")));

const block = (meta, command = "curl -d a=1 https://h.test", lang = "sh") => `\`\`\`${lang} ${meta}\n${command}\n\`\`\`\n`;

/** Tests the plugin of the package that is installed in a folder. */
export async function remarkTests(t, root, dir) {
  const plugin = (await import(pathToFileURL(join(dir, "node_modules/uncoil/dist/remark.mjs")))).default;
  const { code, targets } = await import(pathToFileURL(join(dir, "node_modules/uncoil/dist/index.mjs")));
  const load = tools(root);
  const { remark } = await load("remark");
  const mdx = await load("@mdx-js/mdx");
  const markdown = async (text, options) => remark().use(plugin, options).process(text);
  const program = async (command, target) => (await code(command, target)).code.replace(/\n$/, "");

  await t.test("CommonJS has the same", async () => {
    const require = createRequire(join(dir, "x.cjs"));
    assert.equal(typeof require("uncoil/remark").default, "function");
  });

  await t.test("blocks of Markdown", async () => {
    const python = await program("curl -d a=1 https://h.test", "python");
    const text = `# A\n\n${block('uncoil=python title="x"')}\n> ${block("uncoil", "curl h.test", "bash").replaceAll("\n", "\n> ").trimEnd()}\n\n${block("other")}`;
    const got = String(await markdown(text, { to: "wget" }));
    assert.equal(got, `# A\n\n\`\`\`sh title="x"\ncurl -d a=1 https://h.test\n\`\`\`\n\n\`\`\`python\n${python}\n\`\`\`\n\n> \`\`\`bash\n> curl h.test\n> \`\`\`\n>\n> \`\`\`sh\n> ${await program("curl h.test", "wget")}\n> \`\`\`\n\n${block("other")}`);
    assert.equal(String(await markdown(got, { to: "wget" })), got);
    assert.equal(String(await markdown(block("uncoil=httpie"), { source: false })), `\`\`\`sh\n${await program("curl -d a=1 https://h.test", "httpie")}\n\`\`\`\n`);
    // Not a command, or not for the plugin.
    for (const left of [block("uncoil=python", "x", "js"), block("uncoiled"), block("nouncoil=python")]) assert.equal(String(await markdown(left)), left);
  });

  await t.test("text of a command stays text", async () => {
    for (const body of ["```\n````\n~~~", "</TabItem>{1+1}<script>", "<!-- x -->\n\n# y", "${x} {{ y }}"]) {
      const text = block("uncoil=raw-http", `curl -d '${body}' https://h.test`).replaceAll(/^```(?=sh|$)/gm, "``````");
      const read = remark().parse(String(await markdown(text)));
      assert.deepEqual(read.children.map(({ type }) => type), ["code", "code"]);
      assert.ok(read.children[1].value.endsWith(`\n\n${body}`), read.children[1].value);
      for (const tabs of ["docusaurus", { group: "A", item: "B" }]) {
        const compiled = await mdx.compile(text, { remarkPlugins: [[plugin, { tabs }]], jsx: true });
        const strings = [...String(compiled).matchAll(/<_components\.code[^>]*>\{("(?:[^"\\]|\\.)*")\}/g)].map(([, s]) => JSON.parse(s));
        assert.equal(strings.length, 2, String(compiled));
        assert.ok(strings[1].endsWith(`\n\n${body}\n`), strings[1]);
      }
    }
  });

  await t.test("tabs of MDX", async () => {
    const text = `# A\n\n${block("uncoil=python,node-axios,js", "curl https://h.test")}`;
    const compiled = String(await mdx.compile(text, { remarkPlugins: [[plugin, { tabs: "docusaurus" }]], jsx: true }));
    assert.match(compiled, /^import Tabs from "@theme\/Tabs";?$/m);
    assert.match(compiled, /^import TabItem from "@theme\/TabItem";?$/m);
    assert.match(compiled, /<Tabs groupId="language">/);
    assert.deepEqual([...compiled.matchAll(/<TabItem value="([^"]*)" label="([^"]*)">/g)].map(([, value, label]) => `${value}: ${label}`),
      ["curl-source: curl", "python-requests: Python", "node-axios: JavaScript (axios)", "javascript-fetch: JavaScript (fetch)"]);
    // A page that has the components keeps its own.
    const own = String(await mdx.compile(`import Tabs from "x";\nimport { TabItem } from "y";\n\n${text}`, { remarkPlugins: [[plugin, { tabs: "docusaurus" }]], jsx: true }));
    assert.ok(!own.includes("@theme"), own);
    const star = String(await mdx.compile(text, { remarkPlugins: [[plugin, { tabs: "starlight" }]], jsx: true }));
    assert.match(star, /^import \{ ?TabItem ?\} from "@astrojs\/starlight\/components";?$/m);
    assert.match(star, /<Tabs syncKey="language">\s*<TabItem label="curl">/);
  });

  await t.test("what is refused has a place", async () => {
    const failed = (text, options) => markdown(text, options).then(() => assert.fail(text), (error) => error);
    const error = await failed(`# A\n\n${block("uncoil=python", "curl h.test \\\n  --hedaer x")}`);
    assert.deepEqual([error.line, error.source, error.ruleId], [5, "uncoil", "unknown-option"]);
    assert.match(error.reason, /^python-requests: .*--header/);
    assert.match((await failed(block("uncoil=pyton"))).reason, /no target pyton/);
    assert.match((await failed(block("uncoil"))).reason, /no target, as in/);
    assert.throws(() => plugin({ stile: "exact" }), /no option stile/);
    assert.throws(() => plugin({ tabs: "x" }), /tabs must be/);
    const file = await markdown(block("uncoil=python", "curl -X post h.test"), { doubts: true });
    assert.ok(file.messages.some(({ line, source, ruleId }) => line === 2 && source === "uncoil" && ruleId === "misspelled-method"), String(file.messages));
    assert.equal((await markdown(block("uncoil=python", "curl -X post h.test"))).messages.length, 0);
  });

  await t.test("every target has a language", async () => {
    const all = (await targets()).map(({ name }) => name);
    const read = remark().parse(String(await markdown(block(`uncoil=${all.filter((name) => name !== "http").join(",")}`, "curl https://h.test"))));
    assert.equal(read.children.length, all.length);
    for (const { lang } of read.children) assert.match(lang, /^[a-z]+$/);
  });
}
