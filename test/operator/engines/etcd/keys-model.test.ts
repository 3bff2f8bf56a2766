import { describe } from 'vitest';
import { MemoryPort } from '../../../../operator/testing/index.js';
import { etcdKeysContract } from './keys.contract.js';
import { etcdKeysModel } from './keys-model.js';

describe('the model of the keys of an etcd', () => {
  etcdKeysContract(async () => ({
    endpoints: ['http://192.0.2.5:2379'],
    provided: new MemoryPort(etcdKeysModel()).provided,
  }));
});
