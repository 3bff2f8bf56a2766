import { RejectedError, stackOf, unquoted } from '../kubernetes/errors.js';

/** What the engine says to whoever writes to something frozen. */
const frozen = /read only property|not extensible|Cannot delete property|Cannot redefine property/;

/** The functions that an author writes. */
type Authored = 'desire' | 'assess' | 'reads' | 'polls' | 'filter' | 'retains' | 'foreignLeftovers' | 'finalization';

/**
 * Asks a function of a controller's author, and says whose fault it is when the answer is of no use.
 *
 * @throws {RejectedError} as the author threw it
 * @throws {Error} that names the function, its cause what else the author threw
 * @throws {Error} when the function changed what it was given, or is asynchronous
 */
export function callUserCode<T>(controller: string, name: Authored, ask: () => T): T {
  const answer = asked(controller, name, ask);
  if (!(answer instanceof Promise)) return answer;
  answer.catch(() => {}); // nobody waits for it: unheard, its failure would end the process
  throw new Error(`${name} of controller ${controller} returned a promise: make it a function that answers at once`);
}

function asked<T>(controller: string, name: string, ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    if (error instanceof TypeError && frozen.test(error.message)) {
      const advice = 'what it is given is shared, copy it first';
      throw new Error(`${name} of controller ${controller} changes its facts: ${error.message}: ${advice}`, {
        cause: error,
      });
    }
    if (error instanceof RejectedError) throw error;
    throw new Error(`${name} of controller ${controller} failed: ${unquoted(error)}`, { cause: error });
  }
}

const frame = /^\s+at (?:async )?(?:.*? \()?((?:file:\/\/)?\/.*?):(\d+):(\d+)\)?$/gm;

/** A line of somebody's code. */
export interface SourceLocation {
  /** An absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Where in its author's code something was thrown, the libraries left out; undefined where that is not known. */
export function sourceLocationOf(error: unknown): SourceLocation | undefined {
  for (const [, where = '', line, column] of (stackOf(error) ?? '').matchAll(frame)) {
    const file = where.startsWith('file:') ? decodeURIComponent(new URL(where).pathname) : where;
    if (!file.includes('/node_modules/')) return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
}
