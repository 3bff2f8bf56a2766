import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { certificateSpec, withDefaults } from '../../../../crds/index.js';
import { storesFor } from '../../../../operator/controllers/certificates/secrets/keystores.js';
import { KafkaUserCertificate, KafkaUserConfigMap, TlsSecret } from '../../../../src/index.js';
import { type GivenKafka, identityOf } from '../../../given/kafka.js';
import { kafkaJars } from '../../../given/kafka-jars.js';

/** A Java client in the folder of a KafkaUser with a certificate. */
export interface CertifiedClient extends AsyncDisposable {
  /** Writes one record. @returns what the program prints, also if it fails */
  produce(topic: string): Promise<string>;
}

/** A client with the files of the Secret and the ConfigMap of a user, and no others. */
export async function certifiedClient(kafka: GivenKafka, username: string): Promise<CertifiedClient> {
  const folder = await mkdtemp(join(tmpdir(), 'kafka-client-'));
  for (const [file, content] of await filesOf(kafka, username)) await writeFile(join(folder, file), content);
  const jars = await kafkaJars('4.4.0');
  return {
    produce: (topic) =>
      new Promise((resolve) => {
        const program = 'org.apache.kafka.tools.VerifiableProducer';
        const options = ['--command-config', 'client.properties', '--topic', topic, '--max-messages', '1'];
        const address = ['--bootstrap-server', addressOf(kafka)];
        const java = ['-Xmx128m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', `${jars}/*`];
        execFile(
          'java',
          [...java, program, ...address, ...options],
          { cwd: folder, timeout: 60_000 },
          (_, out, error) => resolve(`${out}${error}`),
        );
      }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The listener that asks for certificates. Others may use it as its ACLs allow. */
function addressOf({ bootstrap: [first] }: GivenKafka): string {
  return `${first?.host}:${first?.port}`;
}

/** The content of both objects, as a projected volume has it. */
async function filesOf(kafka: GivenKafka, username: string): Promise<readonly (readonly [string, Buffer])[]> {
  const place = { name: username, namespace: 'shop' };
  const asked = new Chart(new App(), 'asked');
  new KafkaUserCertificate(asked, 'certificate', { ...place, cluster: 'events', username });
  const spec = withDefaults(certificateSpec, asked.toJson()[0].spec) as never;
  const { certificate, key, ca: trusted } = await identityOf(kafka.authority, username);
  const texts = { certificate, key, trusted };
  const chart = new Chart(new App(), 'written');
  const stores = storesFor({ spec, texts, secret: undefined, live: undefined });
  new TlsSecret(chart, 'secret', { ...place, ...texts, stores });
  new KafkaUserConfigMap(chart, 'client', { ...place, bootstrapServers: addressOf(kafka), trustsCluster: true });
  const [secret, settings] = chart.toJson() as readonly { readonly data: Readonly<Record<string, string>> }[];
  return [
    ...Object.entries(secret?.data ?? {}).map(([file, text]) => [file, Buffer.from(text, 'base64')] as const),
    ...Object.entries(settings?.data ?? {}).map(([file, text]) => [file, Buffer.from(text)] as const),
  ];
}
