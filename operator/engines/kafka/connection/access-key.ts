import type { KafkaAccess } from '../../../kafka/access.js';

/** The same text for questions and calls that one session can carry. */
export function accessKey({ cluster, namespace, secret, bootstrap }: KafkaAccess): string {
  return JSON.stringify([cluster, namespace, secret, bootstrap.map(({ host, port }) => [host, port])]);
}
