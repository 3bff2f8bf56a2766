import { readFileSync } from 'node:fs';
import { controllerContract, type GivenResource, portModel } from 'cdk8s-reconstruct/testing';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { names } from '../../examples/08-name-record/controller.js';
import { label, namespaceName } from '../../examples/09-namespace-name/controller.js';

const resource = parse(readFileSync('examples/09-namespace-name/resource.yaml', 'utf8')) as GivenResource;

const service = portModel(names, {
  showsWithin: 4_000,
  state: {} as Readonly<Record<string, string>>,
  answer: (records, { name }) => (records[name] === undefined ? {} : { address: records[name] }),
  perform: (records, { name, address }) => {
    const { [name]: _, ...others } = records;
    return address === undefined ? others : { ...others, [name]: address };
  },
});

describe('a labelled Namespace', () => {
  const edited = { metadata: { labels: { [label]: '192.0.2.8' } } };
  const unselected = { metadata: { labels: {} } };
  const given = { resource, edited, unselected, ports: [service] };
  for (const { name, holds } of controllerContract(namespaceName, given)) it(name, holds);
});

it('needs no right for the status of Namespaces', () => {
  const rules = namespaceName.rbacRules.filter(({ apiGroups }) => apiGroups.includes(''));
  expect(rules).toEqual([{ apiGroups: [''], resources: ['namespaces'], verbs: ['list', 'watch', 'get', 'patch'] }]);
});
