import { stayingIn } from '../situation.js';
import type { ConditionMark, Observation } from './observation.js';

/** Parameters of the spec that PostgreSQL does not use. Undefined if there are none. */
export function refusedParametersOf({
  situation,
}: Pick<Observation, 'situation'>): ConditionMark<'UpToDate'> | undefined {
  const by = new Map<string, string[]>();
  for (const { name, report } of stayingIn(situation)) {
    for (const [parameter, why] of Object.entries(report?.refused ?? {})) {
      const said = `refused parameter ${parameter}: ${why}`;
      by.set(said, [...(by.get(said) ?? []), name]);
    }
  }
  if (by.size === 0) return undefined;
  const parts = [...by].map(([said, names]) => `${names.join(', ')} ${said}`).toSorted();
  return { reason: 'ParameterRefused', message: `${parts.join('; ')}; correct or remove it in spec.parameters` };
}
