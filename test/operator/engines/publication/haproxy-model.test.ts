import { describe } from 'vitest';
import { MemoryPort } from '../../../../operator/testing/index.js';
import { haproxyContract } from './haproxy.contract.js';
import { haproxyModel } from './haproxy-model.js';
import { configured, contractBackend } from './haproxy-program.js';

describe('the model of a HAProxy', () => {
  haproxyContract(async () => ({
    address: '192.0.2.9:9999',
    provided: new MemoryPort(haproxyModel({ [contractBackend]: [configured] })).provided,
  }));
});
