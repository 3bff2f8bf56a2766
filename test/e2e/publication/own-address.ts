import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { listed } from '../cluster/api.js';
import { Node } from '../cluster/kinds.js';

/** The address of this machine from which packets to the nodes leave, and which Pods reach. */
export async function ownAddress(): Promise<string> {
  const addresses = (await listed(Node)).flatMap(({ status }) => status?.addresses ?? []);
  const node = addresses.find(({ type }) => type === 'InternalIP');
  if (!node) throw new Error('no node has an address');
  const socket = createSocket('udp4');
  // Nothing is sent: the system chooses the address of the route.
  socket.connect(9, node.address);
  await once(socket, 'connect');
  const { address } = socket.address();
  socket.close();
  return address;
}
