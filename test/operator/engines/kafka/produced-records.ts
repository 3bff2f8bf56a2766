import { Producer } from '@platformatic/kafka';
import type { GivenKafka } from '../../../given/kafka.js';

/** Writes records to all partitions of a topic, as a super user. */
export async function produce(
  { bootstrap, operator }: GivenKafka,
  { topic, bytes }: { readonly topic: string; readonly bytes: number },
): Promise<void> {
  const producer = new Producer({
    clientId: 'test',
    bootstrapBrokers: bootstrap.map(({ host, port }) => `${host}:${port}`),
    tls: { cert: operator.certificate, key: operator.key, ca: operator.ca },
  });
  const size = 10_000;
  const value = Buffer.alloc(size, 'x');
  try {
    for (let left = Math.ceil(bytes / size); left > 0; left -= 50) {
      const messages = Array.from({ length: Math.min(left, 50) }, (_, n) => ({
        topic,
        value,
        key: Buffer.from(`${left} ${n}`),
      }));
      await producer.send({ messages, acks: -1 });
    }
  } finally {
    await producer.close();
  }
}
