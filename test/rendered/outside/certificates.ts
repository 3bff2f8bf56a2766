import { createHash } from 'node:crypto';
import { certificateOf, keyOf } from '../ports/fixed-keys.js';
import type { Asked, Systems } from '../ports/system.js';

const at = (path: string) => `https://acme.example.com/${path}`;

/** An ACME server that accepts each account and each response, and a DNS server for its challenges. */
export function outside(): Systems {
  const accounts = new Map<string, readonly string[]>();
  const orders = new Map<string, Asked>();
  /** By the URL of the order. */
  const purposes = new Map<string, string>();
  const records = new Map<string, readonly string[]>();
  return {
    'reconstruct/acme-account': {
      answer: ({ publicKey = '' }) => ({
        ...(accounts.has(publicKey) && {
          account: { url: at('account'), status: 'valid', contact: accounts.get(publicKey) },
        }),
        ...{ publicKey: { kty: 'EC' }, requiresExternalAccount: false, profiles: { classic: 'classic' } },
      }),
      perform: ({ publicKey = '', email }) => {
        accounts.set(publicKey, email === undefined ? [] : [`mailto:${email}`]);
      },
    },
    'reconstruct/acme-order': {
      answer: (question) => {
        const order = orders.get(purposeOf(question)) ?? orders.get(question['order']);
        return order ? { order } : question['order'] === undefined ? {} : { isGone: true };
      },
      perform: async (request, { now }) => {
        const order = request['act'] === 'create' ? orderOf(request['names']) : orders.get(request['order']);
        if (!order) return;
        const next = await changed(order, request, now);
        const purpose = request['act'] === 'create' ? purposeOf(request) : purposes.get(order['url']);
        purposes.set(order['url'], purpose ?? '');
        orders.set(purpose ?? '', next).set(order['url'], next);
      },
    },
    'reconstruct/certificate-request': {
      answer: (question) => ({ csr: pemOf(question) }),
    },
    'reconstruct/acme-visibility': { answer: () => ({ isVisible: true }) },
    'reconstruct/acme-renewal-info': { answer: () => ({}) },
    'reconstruct/acme-revocation': { answer: () => ({ state: 'unknown' }), perform: () => {} },
    'reconstruct/dns': {
      answer: ({ name }) => ({ values: records.get(name) ?? [], ttl: 60 }),
      perform: ({ changes }) => {
        for (const { action, name, values } of changes) {
          const others = (records.get(name) ?? []).filter((value) => !values.includes(value));
          records.set(name, action === 'remove' ? others : [...others, ...values].toSorted());
        }
      },
    },
  };
}

function purposeOf({ id, names, profile }: Asked): string {
  return JSON.stringify([id, names, profile]);
}

/** A pending order. Its tokens follow from its names. */
function orderOf(names: readonly string[]): Asked {
  const id = createHash('sha256').update(names.join(' ')).digest('hex').slice(0, 8);
  const authorizations = names.map((name, index) => {
    const challenge = (type: string) => ({
      ...{ type, url: at(`challenge/${id}-${index}/${type}`), status: 'pending', token: `token-${id}-${index}` },
      keyAuthorization: `token-${id}-${index}.key`,
      ...(type === 'dns-01' && { record: `record-${id}-${index}` }),
    });
    const isWildcard = name.startsWith('*.');
    return {
      ...{ url: at(`authorization/${id}-${index}`), name: name.replace('*.', ''), isWildcard, status: 'pending' },
      challenges: [challenge('dns-01'), ...(isWildcard ? [] : [challenge('http-01')])],
    };
  });
  return { url: at(`order/${id}`), status: 'pending', names, authorizations };
}

const ninetyDays = 90 * 86_400_000;

/** The order after a request. */
async function changed(order: Asked, { act, authorization, csr }: Asked, now: number): Promise<Asked> {
  if (act === 'create') return order;
  if (act === 'finalize') return { ...order, status: 'valid', authorizations: [], chain: await chainOf(csr, now) };
  const authorizations = order['authorizations'].map((one: Asked) =>
    one['url'] === authorization ? { ...one, status: 'valid' } : one,
  );
  const isReady = authorizations.every(({ status }: Asked) => status === 'valid');
  return { ...order, ...(isReady ? { status: 'ready', authorizations: [] } : { authorizations }) };
}

/** A signing request, which the server of this file reads, and nothing else does. */
function pemOf(question: Asked): string {
  const text = Buffer.from(JSON.stringify(question)).toString('base64');
  return `-----BEGIN CERTIFICATE REQUEST-----\n${text}\n-----END CERTIFICATE REQUEST-----\n`;
}

async function chainOf(csr: string, now: number): Promise<string> {
  const { publicKey, names } = JSON.parse(Buffer.from(csr.split('\n')[1] ?? '', 'base64').toString()) as Asked;
  const key = keyOf('authority of the ACME server');
  const validity = { from: now - 1_000, to: now + ninetyDays };
  const authority = await certificateOf({ commonName: 'test CA', isCA: true, ...validity }, { key });
  const { dnsNames } = names;
  const content = { commonName: dnsNames[0], dnsNames, usages: ['server auth' as const], publicKey, ...validity };
  return `${await certificateOf(content, { certificate: authority, key })}${authority}`;
}
