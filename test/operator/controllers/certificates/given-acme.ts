import { type InputOf, issuerSpec, withDefaults } from '../../../../crds/index.js';
import { newPrivateKey } from '../../../../operator/certificates/keys.js';
import { publicKeyOf } from '../../../../operator/certificates/reading.js';
import { selfSigned, signedBy } from '../../../../operator/certificates/signing.js';
import { validFor } from '../../../../operator/certificates/times.js';
import type { AcmeSolver } from '../../../../operator/controllers/certificates/acme/solvers.js';
import { certificateControllers, withResponder } from '../../../../operator/controllers/certificates/index.js';
import {
  type AccountAnswer,
  acmeAccount,
  challengeVisibility,
  externalAccountBinding,
  type VisibilityAnswer,
} from '../../../../operator/controllers/certificates/ports/acme.js';
import {
  type RenewalInfoAnswer,
  renewalInfo,
} from '../../../../operator/controllers/certificates/ports/renewal-info.js';
import { dnsRecords } from '../../../../operator/dns/dns-records.js';
import { type Provided, provided } from '../../../../operator/runtime/ports/external-port.js';
import { MemoryPort, portModel } from '../../../../operator/testing/index.js';
import { type OrderModelProps, orderModel } from '../../engines/acme/acme-models.js';
import { webhookModel } from '../../engines/acme/webhook-model.js';
import { CertificateWorld } from './given-certificates.js';

type Acme = NonNullable<InputOf<typeof issuerSpec>['acme']>;

const directory = 'https://acme.example.com/dir';
const tsig = { server: '192.0.2.53', zone: 'example.com', tsigSecretRef: { name: 'tsig' } };

/** Solvers of the tests. */
export const http = { http01: { ingressClassName: 'nginx' } } satisfies AcmeSolver;
export const dns = { dns01: { rfc2136: tsig } } satisfies AcmeSolver;
export const webhook = {
  dns01: { webhook: { url: 'https://dns-webhook.example.com/acme', secretRef: { name: 'tsig' } } },
} satisfies AcmeSolver;

/** The fields of `spec.acme` that a test states. */
export type AcmeIssuerInput = Partial<Acme>;
/** Solvers of an issuer. */
export type AcmeSolvers = Acme['solvers'];

/** An Issuer of an ACME server as the API server stores it. */
export function givenAcmeIssuer(acme: Partial<Acme> = {}, name = 'internal') {
  return {
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'Issuer', metadata: { name, namespace: 'shop', generation: 1 } },
    spec: withDefaults(issuerSpec, { acme: { server: directory, solvers: [http], ...acme } }),
  };
}

/** The Secret of the TSIG key. */
export const tsigSecret = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tsig', namespace: 'shop' } },
  data: { name: 'a2V5', secret: 'c2VjcmV0' },
};

/** A DNS server: the values of the TXT records by their names. */
export const recordsModel = portModel(dnsRecords, {
  state: {} as Readonly<Record<string, readonly string[]>>,
  answer: (zone, { name }) => ({ values: zone[name] ?? [], ttl: 60 }),
  perform: (zone, { changes }) => {
    const next = { ...zone };
    for (const { action, name, values } of changes) {
      const others = (next[name] ?? []).filter((value) => !values.includes(value));
      next[name] = action === 'remove' ? others : [...others, ...values].toSorted();
    }
    return next;
  },
  showsWithin: 0,
});

/** A key, and certificates for it that a CA of the tests signs. */
export async function givenChains(names: readonly string[], now: number, count = 1) {
  const [root, key] = [
    await newPrivateKey({ algorithm: 'ECDSA', size: 256 }),
    await newPrivateKey({ algorithm: 'ECDSA', size: 256 }),
  ];
  const validity = validFor(90 * 86_400_000, now);
  const ca = {
    certificate: await selfSigned({ commonName: 'test CA', usages: [], isCA: true, validity }, root),
    key: root,
  };
  const content = {
    names: { dnsNames: names, ipAddresses: [], uris: [], emailAddresses: [] },
    usages: ['server auth'],
    isCA: false,
    validity,
  } as const;
  const chains: string[] = [];
  for (let one = 0; one < count; one++)
    chains.push(`${await signedBy(ca, content, publicKeyOf(key) ?? '')}${ca.certificate}`);
  return { key, chains };
}

/** What a {@link AcmeWorld} starts with. */
export interface AcmeWorldProps extends Pick<OrderModelProps, 'failures'> {
  /** Names of the certificates that the server issues. */
  readonly names?: readonly string[];
  readonly account?: Partial<AccountAnswer>;
  readonly hasResponder?: boolean;
}

/** An operator of certificates with an ACME server and a DNS server in memory. */
export class AcmeWorld {
  private constructor(
    readonly world: CertificateWorld,
    readonly account: MemoryPort,
    readonly orders: MemoryPort,
    readonly records: MemoryPort,
    readonly webhooks: MemoryPort,
    readonly visible: { answer: VisibilityAnswer },
    /** What the server suggests for a certificate. It may fail. */
    readonly renewal: { answer: (certificate: string) => RenewalInfoAnswer },
    /** Announces the questions of all accounts, as the engine does when an order contradicts one. */
    readonly announceAccounts: () => void,
  ) {}

  static async create({
    names = ['shop.example.com'],
    failures = {},
    account: answer = {},
    hasResponder = true,
  }: AcmeWorldProps = {}) {
    const visible: { answer: VisibilityAnswer } = { answer: { isVisible: true } };
    const renewal = { answer: (_certificate: string): RenewalInfoAnswer => ({}) };
    const issued: string[] = [];
    const account = new MemoryPort(accountModelOf(answer));
    const orders = new MemoryPort(orderModel({ failures, issue: () => issued.shift() ?? 'PEM' }));
    const records = new MemoryPort(recordsModel);
    const webhooks = new MemoryPort(webhookModel);
    const announcers = new Set<() => void>();
    const announcing: Provided = {
      ...account.provided,
      announces: (announce) => {
        announcers.add(() => {
          for (const { port, question } of world.questions) if (port === acmeAccount.name) announce(question);
        });
      },
    };
    const ports = [
      ...[announcing, orders.provided, records.provided, webhooks.provided],
      provided(challengeVisibility, async () => visible.answer),
      provided(renewalInfo, async ({ certificate }) => renewal.answer(certificate)),
      provided(externalAccountBinding, async ({ keyId }) => ({ protected: keyId, payload: 'p', signature: 's' })),
    ];
    const responder = hasResponder ? { address: '10.0.0.7', port: 8082 } : undefined;
    const world = new CertificateWorld(undefined, {
      controllers: withResponder(responder, certificateControllers),
      ports,
    });
    const { key, chains } = await givenChains(names, world.now, 3);
    issued.push(...chains);
    world.replies = { 'reconstruct/private-key': () => ({ key }) };
    const announce = () => {
      for (const one of announcers) one();
    };
    return new AcmeWorld(world, account, orders, records, webhooks, visible, renewal, announce);
  }

  /** The acts that reached the ACME server, in their order. */
  get acts(): readonly string[] {
    return this.orders.performed.map(({ request }) => (request as { readonly act: string }).act);
  }
}

/** An ACME server with an account of each key that was registered. @param answer changes its answers */
export function accountModelOf(answer: Partial<AccountAnswer>) {
  return portModel(acmeAccount, {
    state: {} as Readonly<Record<string, readonly string[]>>,
    answer: (accounts, { publicKey = '' }): AccountAnswer => ({
      ...(accounts[publicKey] && {
        account: { url: `${directory}/account`, status: 'valid' as const, contact: accounts[publicKey] },
      }),
      ...{ publicKey: { kty: 'EC' }, requiresExternalAccount: false, profiles: { classic: 'classic' } },
      ...answer,
    }),
    perform: (accounts, { publicKey = '', email }) => ({
      ...accounts,
      [publicKey]: email === undefined ? [] : [`mailto:${email}`],
    }),
    showsWithin: 0,
  });
}
