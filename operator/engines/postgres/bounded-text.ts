import type { Readable } from 'node:stream';

/** Maximum size of a response, in bytes. */
const mostBytes = 65_536;

/**
 * Reads a response as text, up to a limit: a process in the Pod of an instance could respond without end.
 * @throws {Error} when the response exceeds the limit
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
    body.on('error', () => {}).destroy(); // the rest of the response is not needed
  }
  return Buffer.concat(chunks).toString('utf8');
}
