import { Command } from 'commander';
import { endsInTrouble } from '../output/exit-code.js';
import { requests } from './request.js';
import { certificateResources, oneCertificate } from './resources.js';
import { requestCommand, statusCommand } from './subcommands.js';

/** `reconstruct certificates VERB`: shows certificates, and renews them. */
export function certificatesCommand(): Command {
  return new Command('certificates')
    .description('show or renew certificates')
    .exitOverride(endsInTrouble)
    .addCommand(
      statusCommand({
        description: 'show issuers, certificates, trust bundles and rotations, and what is wrong',
        argument: 'name of a Certificate (default: all)',
        resources: certificateResources,
        one: oneCertificate,
      }),
    )
    .addCommand(requestCommand('renew', 'renew a certificate now', requests.renew));
}
