import { type LiveSecret, Secret } from '../../../operator/index.js';
import { account } from '../../acceptance/given/installation.js';
import { listed } from '../cluster/api.js';
import type { FollowedLogs } from '../cluster/followed-logs.js';
import { Pod } from '../cluster/kinds.js';
import { kubectl } from '../cluster/kubectl.js';
import { operatorPods } from '../cluster/operator-pods.js';

/** What must not be known from a Secret, as texts that a leak would contain: lines of keys, passwords and tokens. */
export function secretTexts({ data = {} }: Pick<LiveSecret, 'data'>): readonly string[] {
  return Object.entries(data).flatMap(([key, encoded]) => {
    const text = Buffer.from(encoded, 'base64').toString();
    if (!text.includes('PRIVATE KEY-----')) return /password|secret|token|uri/i.test(key) ? [text, encoded] : [];
    return [...text.split('\n').filter((line) => line.length >= 32 && !line.startsWith('-----')), encoded];
  });
}

/**
 * Where Secrets appear.
 * @param places texts by place
 * @throws {Error} if nothing is proved, because there is no Secret or a text is empty
 */
export function leaksIn(
  secrets: readonly Pick<LiveSecret, 'data'>[],
  places: Readonly<Record<string, string>>,
): readonly string[] {
  const texts = secrets.flatMap(secretTexts);
  if (texts.length === 0) throw new Error('there is no Secret with a key, so nothing is proved');
  const all = Object.entries(places);
  const empty = all.filter(([, text]) => text.trim() === '').map(([place]) => place);
  if (empty.length > 0) throw new Error(`nothing was read from ${empty}, so nothing is proved`);
  return all.filter(([, text]) => texts.some((one) => text.includes(one))).map(([place]) => place);
}

/**
 * Where the Secrets of a namespace and of the operator appear although they must not. Empty if nowhere.
 * @param logs those of the operator, followed since before the first Secret
 */
export async function leaksOf(namespace: string, logs: FollowedLogs): Promise<readonly string[]> {
  const secrets = [
    ...(await listed(Secret, { namespace })),
    ...(await listed(Secret, { namespace: account.namespace })),
  ];
  return leaksIn(secrets, { ...(await publicTexts(namespace)), 'the logs of the operator': logs.text });
}

const kinds =
  'rissuer,rcert,rot,configmaps,events,deployments,replicasets,pods,services,endpointslices,httproutes,jobs,persistentvolumeclaims';

async function publicTexts(namespace: string): Promise<Readonly<Record<string, string>>> {
  const [objects, bundles] = await Promise.all([
    kubectl(['--namespace', namespace, 'get', kinds, '--output=yaml']),
    kubectl(['get', 'rbundle,rclusterissuer', '--output=yaml']),
  ]);
  const { namespace: home } = account;
  const pages = (await operatorPods()).map(({ metadata }) =>
    // A Pod that has just started answers no request.
    kubectl(['get', '--raw', `/api/v1/namespaces/${home}/pods/${metadata.name}:8080/proxy/metrics`]).catch(() => ''),
  );
  const consumers = (await listed(Pod, { namespace })).map(({ metadata }) =>
    kubectl(['--namespace', namespace, 'logs', metadata.name, '--all-containers']).catch(() => ''),
  );
  const consumed = (await Promise.all(consumers)).join('');
  return {
    'the objects of the namespace': objects,
    'cluster-wide objects': bundles,
    'events of the operator': await kubectl(['--namespace', home, 'get', 'events', '--output=yaml']),
    'the metrics of the operator': (await Promise.all(pages)).join(''),
    // A Gateway logs nothing.
    ...(consumed !== '' && { 'the logs of the Pods of the namespace': consumed }),
  };
}
