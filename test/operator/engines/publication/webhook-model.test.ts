import { describe } from 'vitest';
import { MemoryPort } from '../../../../operator/testing/index.js';
import { webhookContract } from './webhook.contract.js';
import { webhookModel } from './webhook-model.js';

describe('the model of a webhook', () => {
  webhookContract(async () => ({ url: 'http://192.0.2.8:8888', provided: new MemoryPort(webhookModel()).provided }));
});
