import { ConfigMap, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import { provided } from '../../../../operator/runtime/ports/external-port.js';
import type { MemoryCluster } from '../../../../operator/testing/index.js';
import type { Loose } from '../../../given.js';
import { settled } from '../../fake-clock.js';
import { GivenOperator } from './operator.js';
import { type GathererSpec, gatherer, gathererController, gathererKind, oracle } from './pollers.js';
import { conditionOf } from './widgets.js';

const running: GivenOperator[] = [];

/** Has an operator closed with the others. */
export function runs(given: GivenOperator): GivenOperator {
  running.push(given);
  return given;
}

/** As after a test. */
export async function closeAll(): Promise<void> {
  for (const given of running.splice(0)) await given.close();
}

/** One question, as the source receives it. */
interface Asked {
  readonly question: string;
  readonly signal: AbortSignal;
  readonly answer: (word: string) => Promise<void>;
  readonly fail: (why: string) => Promise<void>;
}

/** An operator of Gatherers, and what it asks. */
export async function givenGatherers(
  options: Partial<ConstructorParameters<typeof GivenOperator>[0]> = {},
  memory?: MemoryCluster,
) {
  const asked: Asked[] = [];
  const port = provided(oracle, (question, { signal }) => {
    const promised = new Promise<{ word: string }>((resolve, reject) => {
      const answer = async (word: string) => {
        resolve({ word });
        await settled();
      };
      const fail = async (why: string) => {
        reject(new Error(why));
        await settled();
      };
      asked.push({ question, signal, answer, fail });
    });
    return promised;
  });
  const given = runs(new GivenOperator({ controllers: [gathererController], ports: [port], ...options }, memory));
  await given.start();
  const apply = (name: string, spec: GathererSpec) => given.given(gathererKind as ObjectKind, gatherer(name, spec));
  const word = async (name = 'one') =>
    ((await given.memory.read(ConfigMap, { namespace: 'team', name: `${name}-said` })) as Loose | undefined)?.['data']
      ?.word;
  const told = async (name = 'one') =>
    conditionOf(await given.memory.read(gathererKind as ObjectKind, { namespace: 'team', name }), 'Told')?.['message'];
  const last = () => asked.at(-1) as Asked;
  return {
    given,
    ports: [port],
    asked,
    apply,
    word,
    told,
    last,
    questions: () => asked.map(({ question }) => question),
  };
}
