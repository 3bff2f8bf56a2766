import { Command } from 'commander';
import { endsInTrouble } from '../output/exit-code.js';
import { requests } from '../requests/request.js';
import { requestCommand } from '../requests/request-command.js';

/** `reconstruct certificates VERB`: renews certificates. */
export function certificatesCommand(): Command {
  return new Command('certificates')
    .description('renew Certificates')
    .exitOverride(endsInTrouble)
    .addCommand(requestCommand('renew', 'renew a certificate now', requests.renew));
}
