import { Store } from '../../../../operator/runtime/cache/store.js';
import { Watch, type WatchOptions } from '../../../../operator/runtime/cache/watch.js';
import { ConfigMap, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../../../operator/runtime/kubernetes/object.js';
import { silent, type Telemetry } from '../../../../operator/runtime/ports/telemetry.js';
import { FakeClock, settled } from '../../fake-clock.js';
import { ScriptedCluster, type Step } from './scripted-cluster.js';

interface GivenWatchProps extends Pick<Partial<WatchOptions>, 'keeps' | 'bearsRefusal'> {
  readonly lists?: readonly Step[];
  readonly watches?: readonly Step[];
  /** @default false */
  readonly streams?: boolean;
  /** @default ConfigMap */
  readonly kind?: ObjectKind;
}

/** A watch of ConfigMaps on a scripted cluster, on a clock that the test moves. */
export class GivenWatch {
  readonly scripted = new ScriptedCluster();
  readonly clock = new FakeClock();
  readonly store: Store;
  /** The changes of the store: `before>after`, by version. */
  readonly heard: string[] = [];
  readonly states: string[] = [];
  readonly warnings: string[] = [];
  readonly watch: Watch;
  readonly #ending = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  constructor({ lists = [], watches = [], streams = false, kind = ConfigMap, ...options }: GivenWatchProps = {}) {
    const { clock, scripted } = this;
    const store = new Store(kind);
    this.store = store;
    scripted.lists.push(...lists);
    scripted.watches.push(...watches);
    scripted.streams = streams;
    const telemetry: Telemetry = {
      ...silent,
      log: { ...silent.log, warn: (_, message) => this.warnings.push(message) },
      watchStateChanged: ({ state }) => this.states.push(state),
    };
    const version = (object: LiveObject | undefined) => object?.metadata.resourceVersion ?? '';
    store.listen(({ before, after, initial }) => {
      this.heard.push(`${version(before)}>${version(after)}${initial ? ' initial' : ''}`);
    });
    this.watch = new Watch(store, { cluster: scripted.cluster, clock, telemetry, namespace: '', ...options });
  }

  get memory() {
    return this.scripted.memory;
  }

  /** How the cluster was asked. */
  get asked(): readonly string[] {
    return this.scripted.asked;
  }

  async start(): Promise<this> {
    this.#ended = this.watch.run(this.#ending.signal);
    await settled();
    return this;
  }

  end(): Promise<void> {
    this.#ending.abort();
    return this.#ended;
  }
}
