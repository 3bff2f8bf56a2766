import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import acme from 'acme-client';
import {
  type OrderProgress,
  type OrderState,
  orderQuestion,
  progressOf,
} from '../../../../operator/controllers/certificates/acme/order-progress.js';
import {
  type AccountAnswer,
  type AccountRequest,
  type AcmeAccount,
  type AcmeServer,
  accountKey,
  acmeAccount,
  acmeOrder,
  type OrderAnswer,
  type OrderQuestion,
  type OrderRequest,
} from '../../../../operator/controllers/certificates/ports/acme.js';
import { acmePorts } from '../../../../operator/engines/acme/acme-ports.js';
import type { Port, Provided } from '../../../../operator/runtime/index.js';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';
import type { SecretData } from '../../../../operator/runtime/ports/external-port.js';
import { anyHost } from './pebble-server.js';

/** A new private key of an account, in its Secret. */
export function accountSecret(): SecretData {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { [accountKey]: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** A certificate signing request, and its private key. */
export async function signingRequest(
  names: readonly string[],
): Promise<{ readonly csr: string; readonly key: string }> {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const [, csr] = await acme.crypto.createCsr({ altNames: [...names] }, privateKey);
  return { csr: csr.toString(), key: privateKey };
}

/** The part of a certificate's controller that a test plays. */
export interface Wanted {
  readonly names: readonly string[];
  readonly profile?: string;
  readonly solvers?: OrderState['solvers'];
  /** Puts a response in place. @default - the responder of the process has it */
  readonly present?: (response: { readonly name: string; readonly record?: string | undefined }) => Promise<void>;
}

/** One process of the operator, with an account. Another one with the same Secret knows nothing of its orders. */
export class AcmeProcess {
  readonly ports = acmePorts({ clock: systemClock, lookup: anyHost, challengeLookup: anyHost });

  constructor(
    readonly server: AcmeServer,
    readonly secret: SecretData = accountSecret(),
  ) {}

  ask<Q, A, R>({ name }: Port<Q, A, R>, question: Q, secret = this.secret): Promise<A> {
    return this.#of(name).source(question as never, { ...this.#options, secret }) as Promise<A>;
  }

  send<Q, A, R>({ name }: Port<Q, A, R>, request: R, secret = this.secret): Promise<unknown> {
    const { performer } = this.#of(name);
    if (!performer) throw new Error(`${name} performs nothing`);
    return performer.perform(request as never, { ...this.#options, secret });
  }

  account(): Promise<AccountAnswer> {
    return this.ask(acmeAccount, this.server);
  }

  /** Creates the account. @returns it, as orders name it */
  async register(request: Omit<AccountRequest, keyof AcmeServer> = {}): Promise<AcmeAccount> {
    await this.send(acmeAccount, { ...this.server, ...request });
    const { account } = await this.account();
    if (!account) throw new Error('the account was not created');
    return { ...this.server, account: account.url };
  }

  order(question: OrderQuestion): Promise<OrderAnswer> {
    return this.ask(acmeOrder, question);
  }

  change(request: OrderRequest): Promise<unknown> {
    return this.send(acmeOrder, request);
  }

  /**
   * Takes an order from step to step, as a controller does, until this holds.
   * @param start what the status records
   * @returns the last step, and all calls
   */
  async follow(
    account: AcmeAccount,
    { names, profile, solvers = [{ http01: {} }], present }: Wanted,
    until: (step: OrderProgress) => boolean = ({ reason }) => reason === 'Issued' || reason === 'OrderFailed',
    start: Partial<OrderState> = {},
  ): Promise<{ readonly step: OrderProgress; readonly facts: OrderState; readonly calls: readonly OrderRequest[] }> {
    const { csr } = await signingRequest(names);
    const base = { account, uid: 'a-uid', revision: 1, failures: { count: 0, last: 0 }, names, profile, csr, solvers };
    let facts: OrderState = {
      ...base,
      now: Date.now(),
      answer: undefined,
      presentedSince: undefined,
      visibilityOf: () => ({ isVisible: true }),
      ...start,
    };
    const calls: OrderRequest[] = [];
    for (;;) {
      facts = { ...facts, now: Date.now(), answer: await this.order(orderQuestion(facts)) };
      const step = progressOf(facts);
      if (until(step)) return { step, facts, calls };
      const responses = step.responses === 'unchanged' ? [] : step.responses;
      for (const { name, challenge } of responses) await present?.({ name, record: challenge.record });
      const presentedSince = responses.length > 0 ? Date.now() : undefined;
      facts = { ...facts, recorded: step.record ?? facts.recorded, presentedSince };
      for (const request of Object.values(step.calls)) {
        calls.push(request);
        await this.change(request);
      }
      if (Object.keys(step.calls).length === 0) await pause(20);
    }
  }

  get #options() {
    return { signal: new AbortController().signal, mayLeave: () => {} };
  }

  #of(name: string): Provided {
    const found = this.ports.provided.find(({ port }) => port.name === name);
    if (!found) throw new Error(`no port is named ${name}`);
    return found;
  }
}
