import type { Readable } from 'node:stream';

/** Bytes of an answer, at the most. */
const mostBytes = 65_536;

/**
 * An answer as a text: whoever may enter the pod of an instance can answer in its name, and without end.
 * @throws {Error} for one that is too long to be meant
 */
export async function boundedText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new Error(`the response exceeds ${mostBytes} bytes`);
      chunks.push(chunk);
    }
  } finally {
    body.on('error', () => {}).destroy(); // what was not read is not wanted
  }
  return Buffer.concat(chunks).toString('utf8');
}
