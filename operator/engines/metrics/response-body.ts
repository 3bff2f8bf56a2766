import { type Dispatcher, request } from 'undici';

/** Bytes of an answer, at the most: what a proxy of many services tells has less. */
const mostBytes = 8 * 1024 * 1024;

/** Characters of a line, at the most. */
const longestLine = 65_536;

/** What asking takes. */
export interface Visit {
  readonly url: URL;
  readonly dispatcher: Dispatcher;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is sent, as a form. @default - nothing: it is a GET */
  readonly form?: Readonly<Record<string, string>>;
  /** What must be answered, as `text/plain`. */
  readonly type: string;
  readonly signal: AbortSignal;
}

/**
 * The body of an answer as it comes, in UTF-8. No redirect is followed: it would lead to somebody else.
 *
 * @throws {Error} that quotes nothing of the answer: it may be anything
 */
export async function* bodyOf({ url, dispatcher, headers, form, type, signal }: Visit): AsyncGenerator<string> {
  const sent = form && { method: 'POST' as const, body: new URLSearchParams(form).toString() };
  const contentType = form && { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await request(url, { dispatcher, headers: { ...headers, ...contentType }, signal, ...sent });
  const { statusCode, body } = answer;
  try {
    if (statusCode !== 200) throw new Error(`the answer is ${statusCode}, not 200`);
    const told = String(answer.headers['content-type'] ?? 'of no type');
    if (!told.startsWith(type)) throw new Error(`the answer is ${JSON.stringify(told.slice(0, 40))}, not ${type}`);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new Error(`the answer has more than ${mostBytes} bytes`);
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } finally {
    body.on('error', () => {}).destroy(); // what was not read is not wanted
  }
}

/**
 * The lines of a text that comes in pieces, those of a piece together: each one alone would be a promise.
 * @throws {Error} for one that is too long to be meant
 */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    if (lines.some(isTooLong) || isTooLong(rest)) throw new Error(`a line has more than ${longestLine} characters`);
    yield lines;
  }
  if (rest !== '') yield [rest];
}

function isTooLong({ length }: string): boolean {
  return length > longestLine;
}
