import { Command } from 'commander';
import { endsInTrouble } from '../output/exit-code.js';
import { requests } from './request.js';
import { oneRotation, rotationResources } from './resources.js';
import { requestCommand, statusCommand } from './subcommands.js';

/** `reconstruct rotation VERB`: shows rotated secrets, and rotates them. */
export function rotationCommand(): Command {
  return new Command('rotation')
    .description('show or rotate the credentials of SecretRotations')
    .exitOverride(endsInTrouble)
    .addCommand(
      statusCommand({
        description: 'show SecretRotations, and what is wrong',
        argument: 'name of a SecretRotation (default: all)',
        resources: rotationResources,
        one: oneRotation,
      }),
    )
    .addCommand(requestCommand('rotate', 'rotate a credential now', requests.rotate));
}
