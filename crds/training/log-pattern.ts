/** Inline flags at the start of an expression of Python or RE2. */
const inlineFlags = /^\(\?([a-zA-Z]+)\)/;
/** Escapes, and the groups that Python and RE2 write in another way than JavaScript. */
const otherSyntax = /\\([\s\S])|\(\?P<|\(\?P=(\w+)\)/g;

/**
 * The regular expression of a rule over the log, in the syntax of Python: named groups as `(?P<name>…)`, flags as `(?i)`
 * at the start, and `\A` and `\Z`. It matches anywhere in a line.
 * @throws {SyntaxError} if it is none
 */
export function logPattern(text: string): RegExp {
  const [start = '', flags = ''] = inlineFlags.exec(text) ?? [];
  if (/[^ims]/.test(flags))
    throw new SyntaxError(`Invalid regular expression: the flags of ${start} must be i, m or s`);
  const source = text.slice(start.length).replace(otherSyntax, translated);
  // In JavaScript, a dot does not match the carriage return with which a progress bar begins anew within a line.
  return new RegExp(isAtStart(source) ? `^${source}` : source, `${flags.replaceAll('s', '')}s`);
}

function translated(whole: string, escaped: string | undefined, name: string | undefined): string {
  if (whole === '(?P<') return '(?<';
  if (name !== undefined) return `\\k<${name}>`;
  return escaped === 'A' ? '^' : escaped === 'Z' ? '$' : whole;
}

/** Where any match exists, there is one from the start. Without this, each start would be tried: the square of the length. */
function isAtStart(source: string): boolean {
  return /^\.[*+](?!\?)/.test(source) && !source.includes('|');
}

/** True for a text that is a regular expression. */
export function isLogPattern(text: string): boolean {
  try {
    logPattern(text);
    return true;
  } catch {
    return false;
  }
}

/** True if the first group of the expression can capture a value. */
export function hasLogValue(text: string): boolean {
  return !isLogPattern(text) || (new RegExp(`${logPattern(text).source}|`).exec('')?.length ?? 0) > 1;
}
