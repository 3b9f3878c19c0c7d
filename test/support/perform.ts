/**
 * Performs a page of the documentation as a reader would: from the top, in an empty folder, every file written as printed, every
 * edit made, every command run, every output compared. What each block is follows from the line above it:
 *
 *     Create `door.tsd`:                the block is the whole file, which must not exist yet; the name alone says the same
 *     Replace `door.tsd` with:          the block is the whole file, which must exist
 *     Add to the end of `door.tsd`:     a blank line and the block are appended
 *     Change `door.tsd`:                a `diff` block: lines with - go, lines with + come, all others must be there
 *
 * A `sh` block is run; the next block without a language is what it prints, complete. "…begins with:" or "…ends with:" above the
 * output compares only its first or last lines. A `sh` block that prints nothing is followed by a paragraph that says "prints nothing". A block that can be none of these is
 * a failure, unless it is marked `not-run`.
 */
import { runCliAsync } from "./io.ts";
import type { Files, Installed } from "./installed.ts";

export interface Block {
  /** The line of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly info: string;
  readonly text: string;
  /** Where the text begins and ends in the page. */
  readonly from: number;
  readonly to: number;
  /** The last line of text above the block, "" when another block is directly above; and the first one below. */
  readonly above: string;
  readonly below: string;
}

export interface Performed {
  /** What is not true, in the order of the page; empty when the page is true. */
  readonly failures: readonly string[];
  /** The page with every output as it was printed now. */
  readonly corrected: string;
  /** Every command line that was run. */
  readonly commands: readonly string[];
}

interface State {
  files: Files;
  folder: string;
}

/** What a command printed, the files afterwards, and its exit code; a script of a shell has none here. */
interface Run {
  readonly output: string;
  readonly files: Files;
  readonly exit?: number;
}

/** A block that the page marks as code of another system, which cannot be run here. */
const NOT_RUN = "not-run";

/** Exit codes that no page wants: an error in rules or facts, wrong usage, a limit. A gate that holds or fails is an answer. */
const FAULTS: ReadonlySet<number> = new Set([1, 2, 5]);

export class Performer {
  readonly #memory = new Map<string, Run>();
  readonly #installed: Installed;

  constructor(reader: Installed) {
    this.#installed = reader;
  }

  /** Performs the whole page; with `stop`, up to the first failure. */
  async perform(page: string, { stop = false } = {}): Promise<Performed> {
    const blocks = blocksOf(page);
    const state: State = { files: new Map(), folder: "" };
    const failures: string[] = [];
    const commands: string[] = [];
    let corrected = page;
    let shown: Block | undefined;
    for (const [index, block] of blocks.entries()) {
      if (stop && failures.length > 0) break;
      if (block === shown || block.info.includes(NOT_RUN)) continue;
      if (block.language !== "sh") {
        failures.push(...store(state, block));
        continue;
      }
      commands.push(...block.text.trimEnd().split("\n"));
      const printed = await this.#run(block.text, state);
      const next = blocks[index + 1];
      shown = next?.language === "" ? next : undefined;
      failures.push(...differences(block, shown, printed));
      if (shown !== undefined) corrected = replaced(corrected, page, shown, rewritten(shown, printed));
    }
    return { failures, corrected, commands };
  }

  /**
   * Performs only the `npx sluice` commands of a page that shows pieces of programs: each must end without an error, and print what the
   * page shows after it, if it shows anything. Files that the page does not write are those of the repository.
   */
  async performCommands(page: string): Promise<Performed> {
    const blocks = blocksOf(page);
    const state: State = { files: new Map(), folder: "" };
    const failures: string[] = [];
    const commands: string[] = [];
    let corrected = page;
    for (const [index, block] of blocks.entries()) {
      const lines = block.language === "sh" ? block.text.trimEnd().split("\n").filter(isPlain) : [];
      if (lines.length === 0) continue;
      commands.push(...lines);
      const ran = await inProcess(lines, state);
      state.files = ran.files;
      if (FAULTS.has(ran.exit ?? 0)) failures.push(`line ${block.line}: ends with ${ran.exit}: ${ran.output}`);
      const shown = blocks[index + 1];
      if (shown?.language !== "") continue;
      failures.push(...differences(block, shown, ran.output));
      corrected = replaced(corrected, page, shown, rewritten(shown, ran.output));
    }
    return { failures, corrected, commands };
  }

  async #run(text: string, state: State): Promise<string> {
    const key = JSON.stringify([text, state.folder, [...state.files]]);
    const known = this.#memory.get(key);
    if (known !== undefined) {
      state.files = known.files;
      return known.output;
    }
    const move = /^mkdir (\w+)\ncd \1\n$/u.exec(text);
    if (move?.[1] !== undefined) {
      state.folder = `${state.folder}${move[1]}/`;
      return "";
    }
    const lines = text.trimEnd().split("\n");
    const done: Run = lines.every(isPlain)
      ? await inProcess(lines, state)
      : this.#installed.shell(text, state.folder, state.files);
    // A terminal shows the line ends of CSV files as those of any other.
    const ran = { ...done, output: done.output.replaceAll("\r\n", "\n") };
    this.#memory.set(key, ran);
    state.files = ran.files;
    return ran.output;
  }
}

/** Runs `npx sluice …` lines in this process: the same command line, without the time that a process takes to start. */
async function inProcess(lines: readonly string[], state: State): Promise<Run> {
  const files = new Map(state.files);
  // Files that are no texts are there until the end of the block.
  const bytes = new Map<string, Uint8Array>();
  let output = "";
  let exit = 0;
  const print = (text: string): void => void (output += text);
  for (const line of lines) {
    const here = [...files].filter(([file]) => file.startsWith(state.folder));
    const known = Object.fromEntries(here.map(([file, text]) => [file.slice(state.folder.length), text]));
    const ran = await runCliAsync(
      wordsOf(line) ?? [],
      { ...known, ...Object.fromEntries(bytes) },
      { out: print, err: print },
    );
    for (const [file, content] of ran.bytes) bytes.set(file, content);
    for (const [file, text] of ran.written) files.set(state.folder + file, text);
    exit = ran.exit;
  }
  return { output, files, exit };
}

const isPlain = (line: string): boolean => wordsOf(line) !== undefined;

/** The arguments of a line that calls only `npx sluice`, or `npm start`; undefined when it needs a shell. */
function wordsOf(line: string): string[] | undefined {
  if (line === "npm start") return ["run", "examples/hello/rules.tsd"];
  const [, rest] = /^npx sluice ((?:[\w./=~:@-]+|"[^"$\\`]*"|'[^']*'|\s+)*)$/u.exec(line) ?? [];
  const words = rest?.match(/"[^"]*"|'[^']*'|\S+/gu);
  // A folder is read from the disk, which the files of a page are not on.
  if (words?.some((word) => word === "." || word.endsWith("/"))) return undefined;
  return words?.map((word) => word.replace(/^(["'])(.*)\1$/u, "$2"));
}

/** Writes, appends or edits a file; returns what is wrong. */
function store(state: State, block: Block): string[] {
  const at = `line ${block.line}`;
  if (block.language === "") return [`${at}: an output without a command`];
  const [, lead = "", name = ""] = /^(.*?)`([^`]+)`(?: with)?:$/u.exec(block.above) ?? [];
  if (name === "") return [`${at}: a ${block.language} block that is neither a file nor an edit: "${block.above}"`];
  const file = state.folder + name;
  const old = state.files.get(file);
  const text = block.language === "diff" ? edited(old ?? "", block.text) : whole(lead, old, block.text);
  if (text instanceof Error) return [`${at}: ${name}: ${text.message}`];
  state.files = new Map([...state.files, [file, text]]);
  return [];
}

function whole(lead: string, old: string | undefined, text: string): string | Error {
  if (lead === "" || lead.endsWith("reate ")) return old === undefined ? text : new Error("the file is there already");
  if (old === undefined) return new Error("there is no such file");
  if (lead.endsWith("eplace ")) return text;
  if (lead.endsWith("Add to the end of "))
    return `${old}
${text}`;
  return new Error(`"${lead}" does not say create, replace, change or add`);
}

/** Applies a diff whose context and removed lines are found together exactly once. */
function edited(old: string, diff: string): string | Error {
  const lines = diff.trimEnd().split("\n");
  const side = (skip: string): string =>
    lines.flatMap((line) => (line.startsWith(skip) ? [] : [`${line.slice(1)}\n`])).join("");
  const before = side("+");
  const parts = `\n${old}`.split(`\n${before}`);
  if (parts.length !== 2) return new Error(`the lines to change are found ${parts.length - 1} times`);
  return parts.join(`\n${side("-")}`).slice(1);
}

function differences(command: Block, shown: Block | undefined, printed: string): string[] {
  const at = `line ${command.line}: ${command.text.trim().split("\n").join("; ")}`;
  const said = /prints? nothing/u.test(command.below);
  if (shown === undefined) {
    if (!said) return [`${at}: the page does not say what it prints`];
    return printed === "" ? [] : [`${at}: prints something:\n${printed}`];
  }
  if (said) return [`${at}: prints nothing, and has an output`];
  if (rewritten(shown, printed) === shown.text) return [];
  return [`${at}: prints\n${printed}\nand the page says\n${shown.text}`];
}

/** What the output block has to say: everything, or as many of the first or last lines as it shows. */
function rewritten(shown: Block, printed: string): string {
  const ended = printed === "" || printed.endsWith("\n") ? printed : `${printed}\n`;
  const lines = ended.trimEnd().split("\n");
  const count = shown.text.trimEnd().split("\n").length;
  if (shown.above.endsWith("begins with:")) return `${lines.slice(0, count).join("\n")}\n`;
  if (shown.above.endsWith("ends with:")) return `${lines.slice(-count).join("\n")}\n`;
  return ended;
}

/** Replaces the text of a block; `corrected` may already differ from `page` above the block. */
function replaced(corrected: string, page: string, block: Block, text: string): string {
  const shift = corrected.length - page.length;
  return corrected.slice(0, block.from + shift) + text + corrected.slice(block.to + shift);
}

/** All fenced blocks of a page. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*)([^\n]*)\n([^]*?)^```$/gmu)].map((found) => {
    const [all, language = "", info = "", text = ""] = found;
    const from = found.index + all.length - "```".length - text.length;
    const above = page.slice(0, found.index).trimEnd().split("\n").at(-1) ?? "";
    const below =
      page
        .slice(found.index + all.length)
        .trimStart()
        .split("\n", 1)[0] ?? "";
    const line = page.slice(0, found.index).split("\n").length;
    const lead = above.startsWith("```") ? "" : above;
    return { line, language, info: info.trim(), text, from, to: from + text.length, above: lead, below };
  });
}
