import type { CommanderError } from 'commander';

/** The exit code of what could not be found out or done, where 1 is an answer: as of `kubectl diff`. */
export const troubleExitCode = 2;

/** Commander ends with 1 for a command or an option that there is not, which would be taken for the answer. */
export function endsInTrouble({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : troubleExitCode);
}
