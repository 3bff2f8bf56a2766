import { describe } from 'vitest';
import { MemoryPort } from '../../../../operator/testing/index.js';
import { answerOf, etcdModel, memberOf } from '../../controllers/etcd/etcd-model.js';
import { etcdContract } from './etcd.contract.js';

describe('an etcd cluster in memory', () => {
  const access = { cluster: 'uid', namespace: 'shop', secret: 'store-operator-tls', endpoints: [] };
  const first = answerOf(memberOf(1), memberOf(2), memberOf(3));
  etcdContract({ access, first, visibleWithin: 0 }, async () => new MemoryPort(etcdModel(first)).provided);
});
