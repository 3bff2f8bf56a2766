import { once } from 'node:events';
import { connect } from 'node:tls';
import type { KafkaAddress } from '../../../operator/kafka/access.js';

/** ApiVersions 0 without a client, which a node answers before anything else. */
const apiVersions = Buffer.from([0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, 0xff, 0xff]);

/** Who connects. Without a certificate if it has none. */
export interface Client {
  readonly ca: string;
  readonly certificate?: string;
  readonly key?: string;
}

/** Whether a listener answers a request of the client. An authority that the client does not trust is a refusal too. */
export async function answers({ host, port }: KafkaAddress, { ca, certificate, key }: Client): Promise<boolean> {
  const socket = connect({ host, port, servername: host, ca, ...(certificate && key && { cert: certificate, key }) });
  try {
    // With TLS 1.3 a client learns that its certificate is refused when it reads.
    const ended = once(socket, 'close').then(() => false);
    const answered = once(socket, 'data').then(() => true);
    ended.catch(() => {});
    answered.catch(() => {});
    socket.write(apiVersions);
    return await Promise.race([answered, ended]).catch(() => false);
  } finally {
    socket.destroy();
  }
}

/** Serial number of the certificate that a listener shows. */
export async function shownSerial(
  { host, port }: KafkaAddress,
  { ca, certificate, key }: Required<Client>,
): Promise<string> {
  const socket = connect({ host, port, servername: host, ca, cert: certificate, key });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().serialNumber;
  } finally {
    socket.destroy();
  }
}
