import { ConfigMap, noEffectOf, pollFailureOf } from '../../../runtime/index.js';
import { addressesIn, addressesWithPort } from '../addresses/subsets.js';
import { whereOf } from '../targets/destination.js';
import type { FileSituation, Situation, SlotSituation, TargetState } from './situation.js';
import type { PublicationOutcome } from './view.js';
import { missingPort } from './wanted.js';

type Found = Pick<TargetState, 'reason' | 'message'>;

/** The state of each target in the order of the spec, and of places that are no longer in it. */
export function targetStates(situation: Situation, outcome: PublicationOutcome): readonly TargetState[] {
  const { spec } = situation.resource;
  const stated = spec.targets.flatMap((target, index) => {
    if (target.file) {
      const file = situation.files.find((one) => one.target === target.file);
      return file ? [fileState(file, situation, outcome)] : [];
    }
    const slot = situation.slots.find((one) => one.position === index);
    return slot ? [slotState(slot, situation, outcome)] : [];
  });
  const left = situation.slots.filter(({ target }) => target === undefined);
  const shown = left.filter(({ reading }) => !reading || reading.held.length > 0);
  return [...stated, ...shown.map((slot) => slotState(slot, situation, outcome))];
}

function slotState(slot: SlotSituation, situation: Situation, outcome: PublicationOutcome): TargetState {
  const { destination, hosts, target, reading, claim } = slot;
  const names = target === undefined ? claim?.names : hosts;
  return {
    ...{ type: destination.type, where: whereOf(destination, names), records: reading?.records },
    isStated: target !== undefined,
    ...(target === undefined || situation.isDeleting ? leavingOf(slot, outcome) : foundOf(slot, situation, outcome)),
  };
}

function foundOf(slot: SlotSituation, { policy, list }: Situation, { calls }: PublicationOutcome): Found {
  const { rival, polled, reading, wanted, problems, poll } = slot;
  if (rival !== undefined)
    return { reason: 'Duplicate', message: `ServicePublication ${rival} is older and has the place` };
  const failure = pollFailureOf(polled);
  if (failure !== undefined) return { reason: 'TargetUnavailable', message: failure };
  if (reading && reading.blocked.length > 0) return { reason: 'Conflict', message: reading.blocked.join('; ') };
  const call = calls.of(poll);
  if (call.state === 'failed') return { reason: 'CallFailed', message: call.why };
  const failed = [...problems, ...wanted.failed, ...(reading?.failed ?? [])];
  if (failed.length > 0) return { reason: 'InvalidTarget', message: failed.join('; ') };
  if (!wanted.isKnown)
    return { reason: 'Publishing', message: list.problem?.message ?? 'the addresses are not known yet' };
  if (!reading)
    return { reason: 'Publishing', message: polled?.known === false ? polled.why : 'no host name is known yet' };
  if (!reading.request) return { reason: 'UpToDate' };
  const differences = reading.differences.join('; ');
  if (policy === 'DryRun') return { reason: 'DryRun', message: differences };
  const effect = noEffectOf(call);
  return effect === undefined
    ? { reason: 'Publishing', message: differences }
    : { reason: 'NoEffect', message: `${effect}: ${differences}` };
}

function leavingOf({ poll, polled, reading }: SlotSituation, { calls }: PublicationOutcome): Found {
  const call = calls.of(poll);
  const failure = call.state === 'failed' ? call.why : pollFailureOf(polled);
  const left =
    reading && reading.held.length > 0 ? `${reading.held.slice(0, 3).join(', ')} must be removed` : undefined;
  return { reason: 'Withdrawing', message: failure ?? left };
}

function fileState(
  file: FileSituation,
  { list, isDeleting }: Situation,
  { owned, blocker }: PublicationOutcome,
): TargetState {
  const { configMap, port } = file.target;
  const base = { type: 'file', where: `ConfigMap ${configMap}`, isStated: true } as const;
  if (isDeleting) return { ...base, reason: 'Withdrawing' };
  if (file.rival !== undefined)
    return { ...base, reason: 'Duplicate', message: `ServicePublication ${file.rival} is older and has the ConfigMap` };
  if (file.holder !== undefined)
    return { ...base, reason: 'Conflict', message: `ConfigMap ${configMap} exists and belongs to ${file.holder}` };
  if (needsPort(file) && list.subsets.length > 0 && addressesWithPort(list.subsets, port).length === 0)
    return { ...base, reason: 'InvalidTarget', message: missingPort(port) };
  const isThere = owned.of(ConfigMap).some(({ metadata }) => metadata.name === configMap);
  if (isThere) return { ...base, reason: 'UpToDate', records: addressesIn(list.subsets).length };
  const why = blocker ?? (list.state === 'unknown' ? list.problem?.message : undefined);
  return { ...base, reason: blocker === undefined ? 'Publishing' : 'CallFailed', message: why };
}

/** Whether the format of a file has the port of each address. */
export function needsPort({ target: { format, port } }: FileSituation): boolean {
  return format === 'PrometheusFileSD' || port !== undefined;
}
