import { RejectedError, stackOf, unquoted } from '../kubernetes/errors.js';

/** How V8 reports a write to a frozen object. */
const frozen = /read only property|has only a getter|not extensible|Cannot delete property|Cannot redefine property/;

/** The functions that an author writes. */
type Authored =
  | 'desire'
  | 'assess'
  | 'reads'
  | 'polls'
  | 'secondaryFor'
  | 'selects'
  | 'retains'
  | 'protects'
  | 'expiresAt'
  | 'foreignLeftovers'
  | 'finalization';

/**
 * Calls a function of a controller's author and names it in the error if it fails.
 *
 * @throws {RejectedError} as the author threw it
 * @throws {Error} that names the function. Its cause is what the author threw
 * @throws {Error} if the function changed its arguments or is asynchronous
 */
export function callUserCode<T>(controller: string, name: Authored, ask: () => T): T {
  const answer = asked(controller, name, ask);
  if (!(answer instanceof Promise)) return answer;
  answer.catch(() => {}); // an unhandled rejection would end the process
  throw new Error(`${name} of controller ${controller} returned a promise: make the function synchronous`);
}

function asked<T>(controller: string, name: string, ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    if (error instanceof TypeError && frozen.test(error.message)) {
      const advice = 'its arguments are shared, copy them first';
      throw new Error(`${name} of controller ${controller} modified its arguments: ${error.message}: ${advice}`, {
        cause: error,
      });
    }
    if (error instanceof RejectedError) throw error;
    throw new Error(`${name} of controller ${controller} failed: ${unquoted(error)}`, { cause: error });
  }
}

const frame = /^\s+at (?:async )?(?:.*? \()?((?:file:\/\/)?\/.*?):(\d+):(\d+)\)?$/gm;

/** A position in source code. */
export interface SourceLocation {
  /** An absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Where in the author's code an error was thrown, libraries excluded. Undefined if that is not known. */
export function sourceLocationOf(error: unknown): SourceLocation | undefined {
  for (const [, where = '', line, column] of (stackOf(error) ?? '').matchAll(frame)) {
    const file = where.startsWith('file:') ? decodeURIComponent(new URL(where).pathname) : where;
    if (!file.includes('/node_modules/')) return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
}
