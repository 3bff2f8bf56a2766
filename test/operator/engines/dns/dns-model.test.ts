import { describe } from 'vitest';
import { MemoryPort } from '../../../../operator/testing/index.js';
import { contractZone } from './contract-zone.js';
import { dnsModel, dnsNamesModel } from './dns-model.js';
import { dnsNamesContract } from './dns-names.contract.js';
import { dnsRecordsContract } from './dns-records.contract.js';

describe('the model of a DNS server', () => {
  dnsRecordsContract(async () => ({
    server: '192.0.2.53',
    provided: new MemoryPort(dnsModel([contractZone])).provided,
  }));
});

describe('the model of a DNS server with many names', () => {
  dnsNamesContract(async () => ({
    server: '192.0.2.53',
    provided: new MemoryPort(dnsNamesModel([contractZone])).provided,
  }));
});
