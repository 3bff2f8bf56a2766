import { sentence } from '../../../../members/index.js';
import { finalizeAnnotation } from '../situation.js';
import type { ConditionMark, Observation } from './observation.js';

/** Whether the version is final. */
export function finalizedOf(seen: Observation, due: number | undefined): ConditionMark<'Finalized'> {
  const { situation, resource } = seen;
  const finalized = situation.cluster?.metadataVersion.finalized ?? resource.status?.metadataVersion;
  if (finalized === undefined) return { reason: 'Initializing' };
  const { version, finalize } = resource.spec;
  if (finalized >= situation.finalization.level) return { reason: 'Finalized' };
  const approved = resource.metadata.annotations?.[finalizeAnnotation];
  const isOther = approved !== undefined && approved !== version;
  const other = `annotation ${finalizeAnnotation} is ${JSON.stringify(approved?.slice(0, 32))}, which does not approve version ${version}`;
  const also = isOther ? `; ${other}` : '';
  if (finalize.policy === 'Manual' && due === undefined) {
    const message = `Version ${version} is finalized when you set the annotation ${finalizeAnnotation} to "${version}"; until then you can return to the earlier version${also}`;
    return { reason: 'ApprovalPending', message };
  }
  if (!isOther) return { reason: 'Soaking' };
  const message = `${sentence(other)}: set it to "${version}" to finalize now, or remove it; until the version is finalized, you can return to the earlier version`;
  return { reason: 'Soaking', message };
}
