import type { CodeOptions } from "./index.js";

/** The components of MDX that show tabs. */
export interface Components {
  /** The name of the component around all tabs, and of that of one tab. */
  group: string;
  item: string;
  /** The attribute of a tab with its label; "label" by default. */
  label?: string;
  /** The attribute of a tab that names it, if there is one. */
  value?: string;
  /** Attributes of the group. */
  sync?: Record<string, string>;
  /** The module from which each component is the default export. */
  imports?: Record<string, string>;
  /** The module that exports both by their names. */
  from?: string;
}

/** How programs are written, and where they stand. */
export interface RemarkOptions extends Pick<CodeOptions, "variables" | "bare" | "longNames" | "dropNoise" | "dropCookies" | "moveSecrets" | "indent" | "style"> {
  /** The targets of blocks whose text behind the language is uncoil alone. */
  to?: string | readonly string[];
  /** How the blocks stand on the page: "plain", one below the other, by default. */
  tabs?: "plain" | "docusaurus" | "starlight" | Components;
  /** false leaves out the command itself. */
  source?: boolean;
  /** true makes doubts about the commands messages of the file. */
  doubts?: boolean;
}

/**
 * A plugin for remark: adds programs to each block of code with uncoil=python,go in the
 * text behind its language. What curl or a target refuses is an error of the file.
 */
export default function remarkUncoil(options?: RemarkOptions): (tree: any, file: any) => Promise<void>;
