import { describe, it } from 'vitest';
import { controllerContract, simulation } from '../../../../operator/testing/index.js';
import { seeds } from '../../../simulation/seeds.js';
import {
  dns,
  dnsServer,
  etcdServer,
  givenPublication,
  givenService,
  givenSlice,
  haproxyServer,
  lookup,
  pods,
  tsigSecret,
  webhookServer,
  withTsigSecret,
} from './given-publication.js';

const targets = [
  { dns },
  { file: { configMap: 'billing-hosts', format: 'PrometheusFileSD' as const } },
  { haproxy: { address: '10.0.0.9:9999', backend: 'billing' } },
  { webhook: { url: 'http://dns-webhook.dns:8888', zone: 'cloud.example.com', name: 'billing' } },
  { etcd: { endpoints: ['https://10.0.0.5:2379'], key: '/skydns/com/example/billing' } },
];
const { apiVersion, kind, spec } = givenPublication({ targets, drain: '0s' });
const resource = { apiVersion, kind, metadata: { name: 'billing', namespace: 'shop' }, spec };
const other = (name: string) => ({
  ...{ apiVersion, kind, metadata: { name, namespace: 'shop' } },
  spec: givenPublication({ targets: [{ dns: { ...dns, name } }, { file: { configMap: name, format: 'Hosts' } }] }).spec,
});
const { spec: edited } = givenPublication({
  targets: [
    { dns: { ...dns, name: 'invoices' } },
    ...targets.slice(1, 3),
    { file: { configMap: 'more', format: 'Env' } },
  ],
  drain: '0s',
});
const given = {
  ...{ resource, edited, others: [other('orders'), other('orders-2')] },
  reads: [tsigSecret, givenService(), givenSlice(['10.1.0.1', '10.1.0.2'])],
  answers: [pods, lookup],
  ports: [dnsServer(), haproxyServer(), etcdServer(), webhookServer()],
};

describe('the controller of ServicePublications', () => {
  for (const check of controllerContract(withTsigSecret, given)) it(check.name, check.holds);
});

describe('the controller of ServicePublications, in simulated histories', () => {
  const [first, second] = targets;
  const simulated = {
    ...given,
    resource: { ...resource, spec: givenPublication({ targets: [first, second] as never }).spec },
    edited: givenPublication({
      targets: [{ dns: { ...dns, name: 'invoices' } }, { file: { configMap: 'more', format: 'Env' } }],
    }).spec,
  };
  // Somebody edits a name in 21, and removes the Secret in 27.
  const histories = simulation(withTsigSecret, simulated, { from: seeds(21, 0), seeds: seeds(7, 40) });
  for (const { name, holds } of histories) it(name, holds, 120_000);
});
