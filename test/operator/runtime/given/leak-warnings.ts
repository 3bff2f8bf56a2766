import { setImmediate } from 'node:timers/promises';

/** The warnings of Node.js when twenty listeners wait for a signal. */
export async function leakWarnings(signal: AbortSignal): Promise<readonly string[]> {
  const warnings: string[] = [];
  const hear = ({ name }: Error) => warnings.push(name);
  process.on('warning', hear);
  for (let index = 0; index < 20; index++) signal.addEventListener('abort', () => {}, { once: true });
  await setImmediate();
  process.off('warning', hear);
  return warnings;
}
