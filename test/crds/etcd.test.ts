import { describe, expect, it } from 'vitest';
import { allKinds, etcdCluster, etcdClusterSpec, kinds } from '../../crds/index.js';
import { defaulted } from '../../crds/schema/defaults.js';
import { valueProblems } from '../../crds/schema/value-problems.js';
import { controllers } from '../../operator/controllers/index.js';
import { REFUSED_ETCD } from './refused-etcd.js';

/** The API server alone compares quantities. */
const needsServer = (message: string) => message.includes('must be at least 1Gi');

const problems = (spec: object) => valueProblems(etcdClusterSpec.json, defaulted(spec, etcdClusterSpec.json), 'spec');

it('without an API server, cdk8s synth accepts the least EtcdCluster', () => {
  expect(problems({})).toEqual([]);
});

describe('without an API server, cdk8s synth refuses', () => {
  it.each(REFUSED_ETCD.filter(([, , message]) => !needsServer(message)))('the EtcdCluster %j at %s', (spec, field) => {
    const [path] = field.split(': ');
    expect(problems(spec).map((problem) => problem.split(': ')[0])).toContain(path);
  });
});

it('an installation of all controllers has no EtcdCluster', () => {
  expect(allKinds).toContain(etcdCluster);
  expect(kinds).not.toContain(etcdCluster);
  expect(controllers.map(({ kind }) => kind.kind)).not.toContain(etcdCluster.kind);
});
