import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The environment of a Go command. */
export interface GoRun {
  /** Folder of a module. */
  readonly folder: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Called for each line of output. */
  readonly onLine?: () => void;
}

/** Runs Go and returns its output lines. @throws {Error} with the last lines, if it fails */
export async function go(
  args: readonly string[],
  { folder, env, onLine = () => {} }: GoRun,
): Promise<readonly string[]> {
  const child = spawn('go', args, {
    cwd: folder,
    env: { ...env, CGO_ENABLED: '0', GOWORK: 'off' }, // no C compiler needed, and no workspace around the package
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      lines.push(line);
      onLine();
    });
  }
  const [code] = await once(child, 'close').catch((error: unknown) => {
    throw new Error(`the command go cannot be started (${String(error)}); install Go`);
  });
  if (code !== 0) throw new Error(`go ${args[0]} exited with code ${code}:\n${lines.slice(-10).join('\n')}`);
  return lines;
}
