import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A shell command that a page tells its reader to run. */
export interface PageCommand {
  /** Path from the root. */
  readonly page: string;
  readonly line: number;
  /** As a reader types it, without comments. It has several lines if it has a here-document or continuation lines. */
  readonly text: string;
}

/** The pages with commands, by path. The generated references have none. */
export function commandPages(): readonly string[] {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .map((path) => join('docs', path))
    .filter((path) => path.endsWith('.md') && !path.startsWith('docs/reference/'));
  return ['README.md', 'CONTRIBUTING.md', ...docs.toSorted()];
}

/** The commands of all pages, in the order of the pages. */
export function pageCommands(): readonly PageCommand[] {
  return commandPages().flatMap((page) => commandsIn(page, readFileSync(page, 'utf8')));
}

const languages = new Set(['sh', 'bash', 'console']);

/** An instruction within a sentence: it names a program, a verb and an argument, and has no placeholder. */
const inline = /`((?:kubectl (?:get|describe|logs)|npx reconstruct|npm run|npm start --) [^`A-Z[$]+)`/g;

/** The commands of one page: those of its shell blocks, and the instructions within its sentences. */
export function commandsIn(page: string, markdown: string): readonly PageCommand[] {
  const found: PageCommand[] = [];
  let block: { readonly indent: number; readonly line: number; readonly lines: string[] } | undefined;
  let isOther = false;
  for (const [index, text] of markdown.split('\n').entries()) {
    const [, indent = '', language = ''] = /^( *)```(\w*)/.exec(text) ?? [];
    const isFence = /^ *```/.test(text);
    if (isFence && block) {
      found.push(...commandsOf(block.lines, { page, line: block.line }));
      block = undefined;
    } else if (isFence && isOther) isOther = false;
    else if (isFence && languages.has(language)) block = { indent: indent.length, line: index + 2, lines: [] };
    else if (isFence) isOther = true;
    else if (block) block.lines.push(text.slice(block.indent));
    else if (!isOther)
      for (const [, command = ''] of text.matchAll(inline)) found.push({ page, line: index + 1, text: command });
  }
  return found;
}

/** The commands of a block. A block that starts with `set -e` is the content of one script. */
function commandsOf(lines: readonly string[], at: Omit<PageCommand, 'text'>): readonly PageCommand[] {
  if (lines[0] === 'set -e') return [{ ...at, text: lines.join('\n') }];
  const found: PageCommand[] = [];
  for (let first = 0; first < lines.length; first++) {
    const start = first;
    let text = withoutComment(lines[first] ?? '');
    while (text.endsWith('\\')) text += `\n${withoutComment(lines[++first] ?? '')}`;
    const [, end] = /<<'?(\w+)'?/.exec(text) ?? [];
    if (end !== undefined) {
      do text += `\n${lines[++first] ?? end}`;
      while (lines[first] !== end && first < lines.length);
    }
    const commands = end === undefined ? text.split(' && ') : [text];
    for (const one of commands) if (one !== '') found.push({ ...at, line: at.line + start, text: one });
  }
  return found;
}

const withoutComment = (line: string) => line.replace(/(^|\s+)#\s.*$/, '').trimEnd();

/** The words of a command without quotes, here-documents and pipes, such as `['kubectl', 'get', 'db']`. */
export function wordsOf(text: string): readonly string[] {
  const [first = ''] = text.replaceAll('\\\n', ' ').split(/ <<|\n/);
  const words = [...first.matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g)].map(([word]) => word.replaceAll(/['"]/g, ''));
  const pipe = words.findIndex((word) => word === '|' || word === '>' || word === '&');
  return pipe === -1 ? words : words.slice(0, pipe);
}
