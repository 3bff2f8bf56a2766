const newline = 0x0a;

/**
 * The lines of a stream of bytes. They are cut before they are decoded, so a character that came in two pieces stays
 * whole. What comes after the last newline is not a line: the stream broke in the middle of it.
 */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const piece = chunk.subarray(start, end);
      yield rest.length === 0 ? piece.toString('utf8') : Buffer.concat([...rest, piece]).toString('utf8');
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
}
