import { account } from '../../acceptance/given/installation.js';
import { kubectl } from '../cluster/kubectl.js';
import { untilRolledOut } from '../cluster/operator-pods.js';

/** Lets resources name an address. It stays in the option of the installed operator. */
export async function allowAddress(address: string): Promise<void> {
  const option = `RECONSTRUCT_ALLOWED_ADDRESSES=${address}`;
  await kubectl(['--namespace', account.namespace, 'set', 'env', `deployment/${account.name}`, option]);
  await untilRolledOut();
}
