import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connectionFrom } from '../../../operator/index.js';

/** The address of this machine from which packets to the API server leave, and which Pods reach. */
export async function ownAddress(): Promise<string> {
  const { origin } = await connectionFrom({ KUBECONFIG: process.env['KUBECONFIG'] });
  const { hostname, port } = new URL(origin);
  const socket = createSocket('udp4');
  socket.connect(Number(port || 443), hostname);
  await once(socket, 'connect');
  const { address } = socket.address();
  socket.close();
  return address;
}
