import { describe, it } from 'vitest';
import { MemoryPort } from '../../../../operator/testing/index.js';
import { acmeContract } from './acme.contract.js';
import { accountModel, orderModel } from './acme-models.js';

const start = async () => ({
  accounts: new MemoryPort(accountModel).provided,
  orders: new MemoryPort(orderModel()).provided,
});

describe('the model of an ACME server', () => {
  for (const { name, holds } of acmeContract(start)) it(name, holds);
});
