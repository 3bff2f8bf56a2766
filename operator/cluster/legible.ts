/** What comes before a value that the server repeats. */
const stated = /\b(?:Invalid|Unsupported|Duplicate) value: (?=["[{]|&?[\w.*]+[[{])/g;

/**
 * Where it shows what differs, or prints as Go does what it could not read: the rest is values. What is before it has one
 * line end: a search that may begin at any of many goes through all of them each time.
 */
const rest = /\n[^\S\n]*(?:@@ |&?\w+\.\w+\{)|, got &|duplicate entries for key \[="/;

/** Characters that are looked at: more than an object has, so that what is wrong, which comes after it, is found. */
const mostRead = 2 * 1024 ** 2;
/** Characters that are told. */
const longest = 32_768;

/** Where one value of Go ends and another part of the same begins: `[]core.EnvVar{`, `interface {}{`. */
const goesOn = /^[\w.*& ]*[[{]/;

/**
 * What a server says, without the objects that it repeats in it: what is wrong comes after them, and they may hold secrets.
 * They are JSON, JSON in a text, or as Go prints them. What is still long is cut: it is told and logged at each try.
 */
export function legible(message: string): string {
  const read = message.slice(0, mostRead);
  const text = withoutObjects(read);
  const more = message.length - read.length + Math.max(0, text.length - longest);
  return more === 0 ? text : `${text.slice(0, longest)}… and ${more} characters more`;
}

function withoutObjects(message: string): string {
  const end = message.search(rest);
  const whole = end < 0 ? message : message.slice(0, end);
  const told: string[] = [];
  let from = 0;
  for (const { 0: before, index } of whole.matchAll(stated)) {
    const start = index + before.length;
    const after = index < from ? undefined : endOfObject(whole, start);
    if (after === undefined) continue;
    told.push(whole.slice(from, start - ': '.length));
    from = after;
  }
  return told.join('') + whole.slice(from);
}

/** Where it ends; the end of all where it was cut; undefined of a plain text. */
function endOfObject(message: string, start: number): number | undefined {
  if (message[start] === '"')
    return /^"\s*[[{]/.test(message.slice(start, start + 20)) ? endOfText(message, start) : undefined;
  let depth = 0;
  for (let at = start; at < message.length; at++) {
    const sign = message[at];
    if (sign === '"' || sign === '`') at = endOfText(message, at) - 1;
    else if (sign === '{' || sign === '[') depth++;
    else if ((sign === '}' || sign === ']') && --depth === 0 && !goesOn.test(message.slice(at + 1, at + 200)))
      return at + 1;
  }
  return message.length;
}

/** Where a quoted text ends. */
function endOfText(message: string, start: number): number {
  const quote = message[start];
  for (let at = start + 1; at < message.length; at++) {
    if (message[at] === quote) return at + 1;
    if (message[at] === '\\' && quote === '"') at++;
  }
  return message.length;
}
