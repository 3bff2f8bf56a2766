import { volumeOfDirectory } from '../../../../../src/index.js';
import type { BrokerVolume } from '../../ports/cluster.js';
import type { KafkaNode } from '../nodes/nodes.js';
import { type Situation, stayingIn } from '../situation.js';

/** A volume of a broker, as the broker reports it. */
export interface VolumeUse {
  /** Its name in the spec. The first volume is `data`. */
  readonly name: string;
  /** Used space in percent. Absent if unknown. */
  readonly usedPercent?: number;
  readonly hasFailed: boolean;
}

/** Percentage of used space from which a volume is nearly full. */
const nearlyFull = 90;

/** The volumes of a broker. Empty if it does not answer. */
export function volumeUses(id: number, { cluster }: Pick<Situation, 'cluster'>): readonly VolumeUse[] {
  return (cluster?.load[id]?.volumes ?? []).map((volume) => {
    const usedPercent = usedPercentOf(volume);
    return {
      name: volumeOfDirectory(volume.directory) ?? volume.directory,
      ...(usedPercent !== undefined && { usedPercent }),
      hasFailed: volume.hasFailed === true,
    };
  });
}

function usedPercentOf({ size }: BrokerVolume): number | undefined {
  if (!size || size.total <= 0) return undefined;
  return Math.min(100, Math.max(0, Math.round((100 * (size.total - size.usable)) / size.total)));
}

/** What is wrong with a volume of a broker. A full one comes first, because a broker stops with it. */
export function volumeProblem(situation: Situation) {
  const all = stayingIn(situation)
    .filter(({ role }) => role === 'broker')
    .flatMap((node) => volumeUses(node.id, situation).map((volume, _, { length }) => ({ node, volume, length })));
  const full = all.find(({ volume }) => (volume.usedPercent ?? 0) >= nearlyFull);
  if (full) {
    const message = `${nameOf(full)} is ${nearlyFull} % full; increase its size, lower retention.ms or retention.bytes of topics, or set quotas of users`;
    return { reason: 'VolumeNearlyFull' as const, message };
  }
  const failed = all.find(({ volume }) => volume.hasFailed);
  if (!failed) return undefined;
  const message = `${nameOf(failed)} has failed, and the broker serves without it; repair the disk and delete Pod ${failed.node.name}, or drain the broker and remove it`;
  return { reason: 'VolumeFailed' as const, message };
}

function nameOf({
  node,
  volume,
  length,
}: {
  readonly node: KafkaNode;
  readonly volume: VolumeUse;
  readonly length: number;
}) {
  return length > 1 ? `Volume ${volume.name} of ${node.name}` : `The volume of ${node.name}`;
}
