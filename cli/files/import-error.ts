/** An error that the user of the command can fix; the message explains how. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
