import { describe, expect, it, test } from 'vitest';
import {
  type EtcdTarget,
  ownerKeyOf,
  readEtcd,
} from '../../../../../operator/controllers/publication/targets/etcd-target.js';

const key = '/skydns/com/example/billing';
const owner = 'heritage=reconstruct,reconstruct/owner=1';
const ownerKey = ownerKeyOf(key);
const one = { address: '10.1.0.1', port: 8080 };
const read = (answer: EtcdTarget['answer'], more: Partial<EtcdTarget> = {}) =>
  readEtcd({
    ...{ endpoints: ['http://10.0.0.5:2379'], key, owner, prefix: 'rc-12345678-', ttl: 30 },
    ...{ wanted: [one], answer, mayDelete: true, ...more },
  });
const request = (reading: ReturnType<typeof read>) =>
  reading.request?.type === 'etcd' ? reading.request.request : undefined;
const written = request(read({ values: {} }))?.put ?? {};
const { [ownerKey]: _, ...values } = written;

describe('a key of etcd', () => {
  it('is claimed with its owner in one transaction', () => {
    expect(request(read({ values: {} }))).toMatchObject({ requires: [{ key: ownerKey, is: 'absent' }], delete: [] });
    expect(written[ownerKey]).toBe(owner);
    expect(Object.values(values)).toEqual(['{"host":"10.1.0.1","port":8080,"ttl":30}']);
  });

  it('needs no change while it has its addresses', () => {
    expect(read({ values, owner })).toMatchObject({ request: undefined, records: 1, held: [key] });
  });

  it('is changed only if its owner is unchanged', () => {
    const found = request(read({ values, owner }, { wanted: [{ address: '10.1.0.2' }] }));
    expect(found).toMatchObject({
      requires: [{ key: ownerKey, is: 'equal', value: owner }],
      delete: Object.keys(values),
    });
    expect(Object.values(found?.put ?? {})).toEqual(['{"host":"10.1.0.2","ttl":30}']);
  });

  it('is removed with its owner, and without keys of others', () => {
    const others = { [`${key}/api`]: '{}' };
    expect(request(read({ values: { ...values, ...others }, owner }, { wanted: [] }))).toMatchObject({
      ...{ put: {}, delete: [...Object.keys(values), ownerKey] },
    });
  });

  test.each<[what: string, answer: EtcdTarget['answer'], blocked: string]>([
    ['belongs to another owner', { values: {}, owner: 'other' }, `${key} belongs to "other"`],
    ['has a value of its own', { values: { [key]: '{}' } }, 'has a value of its own'],
  ])('is never changed if it %s', (_, answer, blocked) => {
    const reading = read(answer);
    expect(reading.request).toBeUndefined();
    expect(reading.blocked.join()).toContain(blocked);
    expect(read(answer, { wanted: [] })).toMatchObject({ request: undefined, held: [] });
  });

  test.each<[what: string, foreign: object, requires: object]>([
    ['no owner', {}, { key: ownerKey, is: 'absent' }],
    ['another owner', { owner: 'other' }, { key: ownerKey, is: 'equal', value: 'other' }],
  ])('with %s is removed if the publication has written it and left it behind', (_, foreign, requires) => {
    const answer = { values: { ...values, [`${key}/api`]: '{}' }, ...foreign };
    const reading = read(answer, { wanted: [] });
    expect(reading.held).toEqual([key]);
    expect(request(reading)).toMatchObject({ requires: [requires], put: {}, delete: Object.keys(values) });
    expect(read(answer, { wanted: [], mayDelete: false })).toMatchObject({ request: undefined, held: [] });
  });

  it('is taken over if a person names the exact owner', () => {
    const found = request(read({ values: {}, owner: 'other' }, { takeOver: 'other' }));
    expect(found?.requires).toEqual([{ key: ownerKey, is: 'equal', value: 'other' }]);
    expect(found?.put?.[ownerKey]).toBe(owner);
  });

  it('of 1,000 addresses is written in transactions that etcd accepts', () => {
    const wanted = Array.from({ length: 1000 }, (_, index) => ({ address: `10.1.${index >> 8}.${index & 255}` }));
    const { put = {}, delete: gone = [] } = request(read({ values: {} }, { wanted })) ?? {};
    expect(Object.keys(put).length + gone.length).toBeLessThanOrEqual(128);
    const all = Object.fromEntries(wanted.map((_, index) => [`${key}/rc-12345678-${index}`, '{}']));
    const removal = request(read({ values: all, owner }, { wanted: [] }));
    expect(removal?.delete?.length).toBeLessThanOrEqual(128);
    expect(removal?.delete).not.toContain(ownerKey);
  });
});
