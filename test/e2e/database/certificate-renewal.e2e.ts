import { X509Certificate } from 'node:crypto';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { beforeAll, describe, expect, test } from 'vitest';
import { signedWith } from '../../../operator/certificates/keys.js';
import { Secret } from '../../../operator/index.js';
import { until } from '../../chaos/wait.js';
import { seconds } from '../algorithm/figure.js';
import { read } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { kubectl } from '../cluster/kubectl.js';
import { TriedDatabase } from './given/tried-database.js';
import { nothing, told, Witnesses } from './given/witnesses.js';

const namespace = givenNamespace('renewed');
const day = 86_400_000;

describe('a Database whose certificate is two thirds through its time', () => {
  const orders = new TriedDatabase(namespace, 'orders');
  const witnesses = new Witnesses(orders);
  beforeAll(() => orders.begin());

  /** What a Secret holds under a key. */
  const held = async (name: string, key: string) => {
    const secret = await read(Secret, { namespace, name });
    return Buffer.from(secret?.data?.[key] ?? '', 'base64').toString();
  };
  const change = async (name: string, stringData: Readonly<Record<string, string>>) => {
    const patch = JSON.stringify({ stringData });
    await kubectl(['--namespace', namespace, 'patch', 'secret', name, '--type=merge', '-p', patch]);
  };
  /** The serial numbers of what an instance shows to whom asks Patroni, and PostgreSQL; one that reads a new one is deaf for a moment. */
  const shown = async (pod: string) => (await orders.inPod(pod, 'python3', '-c', show).catch(() => '')).split('\n');

  test('all instances show a new one, to the clients that they have, and none restarts', async () => {
    const uids = async () => (await orders.pods()).map(({ metadata }) => metadata.uid);
    const before = await uids();
    const first = await held('orders-tls', 'tls.crt');
    const endured = await witnesses.endure('renewed', async () => {
      const began = Date.now();
      const key = await held('orders-ca', 'tls.key');
      // The authority is older than a day, so it may sign; what it has signed ends in ten days.
      const authority = await redated(await held('orders-ca', 'tls.crt'), key, -80 * day, 3570 * day);
      await change('orders-ca', { 'tls.crt': authority });
      await change('orders-tls', { 'ca.crt': authority, 'tls.crt': await redated(first, key, -80 * day, 10 * day) });
      const isRenewed = async () => endOf(await held('orders-tls', 'tls.crt')) > Date.now() + 80 * day;
      await until(isRenewed, { what: 'orders-tls has a new certificate', within: 60_000, every: 500 });
      const next = new X509Certificate(await held('orders-tls', 'tls.crt')).serialNumber;
      expect(next).not.toBe(new X509Certificate(first).serialNumber);
      const names = (await orders.pods()).map(({ metadata }) => metadata.name);
      const isEverywhere = async () => (await Promise.all(names.map(shown))).flat().every((one) => one === next);
      await until(isEverywhere, { what: 'every instance shows it', within: 240_000, every: 3000 });
      console.log(`certificates: shown by every instance in ${seconds(began, Date.now())}`);
    });
    console.log(`certificates: ${told(endured)}`);
    expect(endured).toMatchObject(nothing);
    expect(endured.pause).toBeLessThan(2);
    expect(await uids()).toEqual(before);
  });
});

/** The same certificate for another time. @param key of who signs it */
async function redated(certificate: string, key: string, from: number, to: number): Promise<string> {
  const same = new x509.X509Certificate(certificate);
  const dated = await x509.X509CertificateGenerator.create({
    ...{ serialNumber: same.serialNumber, subject: same.subjectName, issuer: same.issuerName },
    ...{ publicKey: same.publicKey, extensions: same.extensions, ...(await signedWith(key)) },
    ...{ notBefore: new Date(Date.now() + from), notAfter: new Date(Date.now() + to) },
  });
  return `${dated.toString('pem')}\n`;
}

function endOf(certificate: string): number {
  return Date.parse(new X509Certificate(certificate).validTo);
}

/** Asks Patroni, and PostgreSQL as its clients begin. */
const show = `
import socket, ssl, struct, subprocess

def serial(port, before=b""):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port), 5) as connection:
        if before:
            connection.sendall(before)
            assert connection.recv(1) == b"S"
        with context.wrap_socket(connection) as wrapped:
            certificate = wrapped.getpeercert(True)
    asked = ["openssl", "x509", "-inform", "DER", "-noout", "-serial"]
    return subprocess.run(asked, input=certificate, capture_output=True, check=True).stdout.decode().strip()[7:]

print(serial(8008))
print(serial(5432, struct.pack("!ii", 8, 80877103)))`;
