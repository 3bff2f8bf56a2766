/** Something that the person who runs the command can put right; the message says how. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
