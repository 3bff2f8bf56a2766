import { listed } from '../cluster/api.js';
import { Node } from '../cluster/kinds.js';
import { kubectl } from '../cluster/kubectl.js';

const paths = (device: string) =>
  ['capacity', 'allocatable'].map((list) => `/status/${list}/${device.replace('/', '~1')}`);

async function patchStatus(node: string, patch: readonly object[]): Promise<void> {
  await kubectl(['patch', 'node', node, '--subresource=status', '--type=json', '-p', JSON.stringify(patch)]);
}

/** A device that no other Pod wants, on the nodes of the cluster. */
export class Devices {
  constructor(readonly name: string) {}

  /** The names of all nodes, in order. */
  async nodes(): Promise<readonly string[]> {
    return (await listed(Node)).map(({ metadata }) => metadata.name).toSorted();
  }

  /** Sets how many a node has, as a device plug-in does. */
  async give(node: string, amount: number): Promise<void> {
    await patchStatus(
      node,
      paths(this.name).map((path) => ({ op: 'add', path, value: String(amount) })),
    );
  }

  /** Takes the device away from all nodes. */
  async takeAll(): Promise<void> {
    const [path] = paths(this.name);
    for (const node of await this.nodes()) await patchStatus(node, [{ op: 'remove', path }]).catch(console.error);
  }
}
