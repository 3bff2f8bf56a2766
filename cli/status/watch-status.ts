import { isApiError, messageOf } from '../../operator/runtime/kubernetes/errors.js';
import { type Clock, sleep } from '../../operator/runtime/ports/clock.js';
import { type Output, Screen } from '../output/screen.js';
import type { Look, ShownStatus } from './status-look.js';

/** Milliseconds between two looks. */
const pause = 2_000;

/** How a status is shown. */
export interface StatusDisplay {
  readonly output: Output;
  readonly clock: Clock;
  readonly format: 'text' | 'json';
}

/** Prints a status once. @returns whether a person should act */
export async function printStatus(look: Look, { output, clock, format }: StatusDisplay): Promise<boolean> {
  const shown = await look(clock.now());
  output.write(`${textOf(shown, format)}\n`);
  return shown.isWrong;
}

/**
 * Looks every 2 seconds until the signal aborts. A terminal shows a picture that is redrawn. Elsewhere, and as JSON, each
 * change is printed. An API server that does not answer for a while ends nothing.
 * @returns whether a person should act at the end
 * @throws {Error} if the first look fails, or the resource is deleted
 */
export async function watchStatus(look: Look, display: StatusDisplay, signal: AbortSignal): Promise<boolean> {
  const { output, clock, format } = display;
  const screen = new Screen(output);
  const isPicture = output.isTTY === true && format === 'text';
  let last: ShownStatus | undefined;
  while (!signal.aborted) {
    const shown = await nextLook(look, clock.now(), last);
    if (isPicture) screen.show(shown.lines);
    else if (textOf(shown, 'json') !== (last && textOf(last, 'json'))) output.write(`${textOf(shown, format)}\n`);
    last = shown;
    await sleep(clock, pause, signal);
  }
  return last?.isWrong ?? false;
}

/** If the API server fails, the last state with the error below it. */
async function nextLook(look: Look, now: number, last: ShownStatus | undefined): Promise<ShownStatus> {
  try {
    return await look(now);
  } catch (error) {
    if (!last || !isApiError(error)) throw error;
    return { ...last, lines: [...last.lines, '', `not updated: ${messageOf(error)}`] };
  }
}

function textOf({ lines, json }: ShownStatus, format: StatusDisplay['format']): string {
  return format === 'json' ? JSON.stringify(json, undefined, 2) : lines.join('\n');
}
