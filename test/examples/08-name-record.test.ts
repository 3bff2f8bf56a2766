import { readFileSync } from 'node:fs';
import { controllerContract, type GivenResource, portModel, simulation } from 'cdk8s-reconstruct/testing';
import { describe, it } from 'vitest';
import { parse } from 'yaml';
import { nameRecord, names } from '../../examples/08-name-record/controller.js';

const written = parse(readFileSync('examples/08-name-record/resource.yaml', 'utf8')) as GivenResource;
const resource = { ...written, metadata: { ...written.metadata, namespace: 'team' } };

const service = portModel(names, {
  state: {} as Readonly<Record<string, string>>,
  answer: (records, { name }) => (records[name] === undefined ? {} : { address: records[name] }),
  perform: (records, { name, address }) => {
    const { [name]: _, ...others } = records;
    return address === undefined ? others : { ...others, [name]: address };
  },
});

describe('a NameRecord', () => {
  const given = { resource, edited: { address: '192.0.2.8' }, ports: [service] };
  for (const { name, holds } of controllerContract(nameRecord, given)) it(name, holds);
  for (const { name, holds } of simulation(nameRecord, given, { seeds: 50 })) it(name, holds);
});
