import {
  type AccountAnswer,
  acmeAccount,
  acmeOrder,
  type OrderAnswer,
} from '../../../../operator/controllers/certificates/ports/acme.js';
import { type Port, type Provided, provided } from '../../../../operator/runtime/index.js';
import type { AcmeSystem } from './acme.contract.js';
import { account as modelAccount, blockedName as modelBlockedName, server as modelServer } from './acme-models.js';
import type { AcmeProcess } from './acme-process.js';
import { blockedName } from './pebble-server.js';

/** Texts of a real server, and the names that the models have for them. */
class Dictionary {
  readonly #pairs: (readonly [real: string, model: string])[] = [];

  learn(real: string | undefined, model: string): void {
    if (real !== undefined && !this.#pairs.some(([known]) => known === real)) this.#pairs.push([real, model]);
    this.#pairs.sort(([one], [other]) => other.length - one.length);
  }

  toModel<T>(json: T): T {
    return this.#replaced(json, ([real, model]) => [real, model]);
  }

  toReal<T>(json: T): T {
    return this.#replaced(json, ([real, model]) => [model, real]);
  }

  #replaced<T>(json: T, sides: (pair: readonly [string, string]) => readonly [string, string]): T {
    const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
    const pairs = this.#pairs.map(sides).toSorted(([one], [other]) => other.length - one.length);
    return JSON.parse(
      pairs.reduce((text, [from, to]) => text.replaceAll(`"${inJson(from)}"`, `"${inJson(to)}"`), JSON.stringify(json)),
    );
  }
}

/** The ports of a process, in the names of the models. What differs by chance is left out. */
export function translated(process: AcmeProcess, account: string | undefined): AcmeSystem {
  const dictionary = new Dictionary();
  dictionary.learn(process.server.directory, modelServer.directory);
  dictionary.learn(account, modelAccount.account);
  dictionary.learn(blockedName, modelBlockedName);
  const port = <Q extends object, A, R>(
    of: Port<Q, A, R>,
    told: (answer: A, dictionary: Dictionary) => A,
  ): Provided => {
    const one = process.ports.provided.find(({ port: { name } }) => name === of.name);
    const { caBundle } = process.server;
    const real = (json: object) => ({ ...dictionary.toReal(json), caBundle }) as never;
    return provided(
      of,
      async (question, options) => {
        const answer = (await one?.source(real(question), { ...options, secret: process.secret })) as A;
        return dictionary.toModel(told(answer, dictionary));
      },
      {
        perform: async (request, options) =>
          one?.performer?.perform(real(request as object), { ...options, secret: process.secret }),
      },
    );
  };
  return { accounts: port(acmeAccount, toldAccount), orders: port(acmeOrder, toldOrder) };
}

function toldAccount(answer: AccountAnswer, dictionary: Dictionary): AccountAnswer {
  dictionary.learn(answer.account?.url, modelAccount.account);
  dictionary.learn(answer.termsOfService, 'https://acme.example.com/terms');
  return { ...answer, publicKey: { kty: 'EC' } };
}

function toldOrder({ order, ...answer }: OrderAnswer, dictionary: Dictionary): OrderAnswer {
  if (!order) return answer;
  dictionary.learn(order.url, 'https://acme.example.com/order/1');
  dictionary.learn(order.chain, 'PEM');
  for (const [index, { url, challenges }] of order.authorizations.entries()) {
    const own = `1-${index + 1}`;
    dictionary.learn(url, `https://acme.example.com/authorization/${own}`);
    for (const { type, url: at, token, keyAuthorization, record } of challenges) {
      dictionary.learn(at, `https://acme.example.com/challenge/${own}/${type}`);
      dictionary.learn(token, `token-${own}`);
      dictionary.learn(keyAuthorization, `token-${own}.key`);
      dictionary.learn(record, `record-${own}`);
    }
  }
  const { expires: _, ...lasting } = order;
  return { ...answer, order: lasting };
}
