import { type Dispatcher, request } from 'undici';

/** Maximum number of bytes of a response. The metrics of a proxy with many Services are smaller. */
const mostBytes = 8 * 1024 * 1024;

/** Maximum number of characters of a line. */
const longestLine = 65_536;

/** A request. */
export interface Visit {
  readonly url: URL;
  readonly dispatcher: Dispatcher;
  readonly headers?: Readonly<Record<string, string>>;
  /** Form data to send with a POST. @default - a GET without a body */
  readonly form?: Readonly<Record<string, string>>;
  /** Required media type of the response, for example `text/plain`. */
  readonly type: string;
  readonly signal: AbortSignal;
}

/**
 * Streams the body of a response, in UTF-8. Redirects are not followed, because they could lead to another server.
 *
 * @throws {Error} that does not quote the body, which may be anything
 */
export async function* bodyOf({ url, dispatcher, headers, form, type, signal }: Visit): AsyncGenerator<string> {
  const sent = form && { method: 'POST' as const, body: new URLSearchParams(form).toString() };
  const contentType = form && { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await request(url, { dispatcher, headers: { ...headers, ...contentType }, signal, ...sent });
  const { statusCode, body } = answer;
  try {
    if (statusCode !== 200) throw new Error(`the response has status ${statusCode}, must be 200`);
    const told = String(answer.headers['content-type'] ?? 'none');
    if (!told.startsWith(type))
      throw new Error(`the response has content type ${JSON.stringify(told.slice(0, 40))}, must be ${type}`);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new Error(`the response must have at most ${mostBytes} bytes`);
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } finally {
    body.on('error', () => {}).destroy(); // discards the unread rest
  }
}

/**
 * The lines of a streamed text, batched per piece to save a promise per line.
 * @throws {Error} if a line is too long
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
