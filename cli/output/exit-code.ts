import type { CommanderError } from 'commander';

/** The exit code for errors of commands that return 1 as a result, like `kubectl diff`. */
export const troubleExitCode = 2;

/** Maps exit code 1 of Commander, for example for an unknown option, to 2. Otherwise it would look like a result. */
export function endsInTrouble({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : troubleExitCode);
}
