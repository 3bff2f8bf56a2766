import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { settled } from '../../fake-clock.js';
import { bound, GivenHouse, type HouseProps } from './house.js';
import { conditionOf, type Widget } from './widgets.js';

export const webA = { namespace: 'team', name: 'web-a' };
export const apply = 'apply ConfigMap team/web-a';
export const status = 'apply Widget/status team/web';

/** A house whose ConfigMap `web-a` others write too. It reports the fields that it left. */
export class RivalHouse extends GivenHouse {
  /** Reads of single objects. */
  readonly reads: string[];
  /** Writes that were given up. */
  readonly trips: string[] = [];

  constructor(props: HouseProps = {}) {
    const reads: string[] = [];
    super({ ...props, faults: (cluster) => counted(cluster, reads) });
    this.reads = reads;
    const breakerTripped = ({ kind, reason }: { kind: string; reason: string }) => this.trips.push(`${kind} ${reason}`);
    this.place = { ...this.place, telemetry: { ...silent, breakerTripped } };
  }

  /** A Widget and what it becomes. */
  async settle(spec: Widget['spec'] = { maps: { a: { size: '1', more: '1', b: '1', c: '1', d: '1' } } }) {
    await this.givenWidget(spec);
    await this.pass();
  }

  /** Somebody sets a field of the ConfigMap. */
  async takes(manager: string, field: string, value: string): Promise<void> {
    await this.memory.patch(ConfigMap, webA, [{ op: 'add', path: `/data/${field}`, value }], { manager });
    await settled();
  }

  /** So many rounds: somebody takes the field, and a pass takes it back if it does. @returns the writes */
  async rounds(count: number, { manager = 'rival', field = 'size', every = 10_000 } = {}): Promise<string[]> {
    const writes: string[] = [];
    for (let n = 0; n < count; n++) {
      await this.takes(manager, field, `${manager} ${n}`);
      writes.push(...(await this.pass()));
      await this.clock.advance(every);
    }
    return writes;
  }

  async contested() {
    return conditionOf(await this.widget(), 'FieldsConflicted');
  }
}

function counted(cluster: Cluster, reads: string[]): Cluster {
  return {
    ...bound(cluster),
    read: async (kind, name, options) => {
      reads.push(`${kind.kind} ${name.name}`);
      return cluster.read(kind, name, options);
    },
  };
}
