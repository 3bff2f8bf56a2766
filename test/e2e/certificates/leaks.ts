import { type LiveSecret, Secret } from '../../../operator/index.js';
import { account } from '../../acceptance/given/installation.js';
import { listed } from '../cluster/api.js';
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

/** Where the Secrets of a namespace appear although they must not. Empty if nowhere. */
export async function leaksOf(namespace: string): Promise<readonly string[]> {
  const secrets = await listed(Secret, { namespace });
  const texts = secrets.flatMap(secretTexts);
  if (texts.length === 0) throw new Error(`namespace ${namespace} has no Secret with a key, so nothing is proved`);
  const places = Object.entries(await publicTexts(namespace));
  const empty = places.filter(([, text]) => text.trim() === '').map(([place]) => place);
  if (empty.length > 0) throw new Error(`nothing was read from ${empty}, so nothing is proved`);
  return places.filter(([, text]) => texts.some((one) => text.includes(one))).map(([place]) => place);
}

const kinds = 'rissuer,rcert,rot,configmaps,events,deployments,replicasets,pods,services,endpointslices';

async function publicTexts(namespace: string): Promise<Readonly<Record<string, string>>> {
  const [objects, bundles] = await Promise.all([
    kubectl(['--namespace', namespace, 'get', kinds, '--output=yaml']),
    kubectl(['get', 'rbundle,rclusterissuer', '--output=yaml']),
  ]);
  const texts: Record<string, string> = { 'the objects of the namespace': objects, 'cluster-wide objects': bundles };
  const { namespace: home } = account;
  texts['events of the operator'] = await kubectl(['--namespace', home, 'get', 'events', '--output=yaml']);
  const pods = await operatorPods();
  // A Pod that has just started has no log yet, and answers no request.
  const all = (of: (pod: string) => Promise<string>) =>
    Promise.all(pods.map(({ metadata }) => of(metadata.name).catch(() => ''))).then((found) => found.join(''));
  texts['the logs of the operator'] = await all((pod) => kubectl(['--namespace', home, 'logs', pod]));
  texts['the metrics of the operator'] = await all((pod) =>
    kubectl(['get', '--raw', `/api/v1/namespaces/${home}/pods/${pod}:8080/proxy/metrics`]),
  );
  return texts;
}
