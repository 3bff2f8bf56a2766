import { Command } from 'commander';
import { endsInTrouble } from '../output/exit-code.js';
import { requests } from '../requests/request.js';
import { requestCommand } from '../requests/request-command.js';

/** `reconstruct rotation VERB`: rotates credentials. */
export function rotationCommand(): Command {
  return new Command('rotation')
    .description('rotate the credentials of SecretRotations')
    .exitOverride(endsInTrouble)
    .addCommand(requestCommand('rotate', 'rotate a credential now', requests.rotate));
}
