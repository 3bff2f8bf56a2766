import { objectNames, secretsWithPasswords } from '../../../../src/index.js';
import { stayingIn } from '../situation.js';
import type { ConditionMark, Observation } from './observation.js';

/** Passwords of the Secrets that the instances do not use. Undefined if they use all, or do not report it. */
export function passwordsOf(seen: Observation): ConditionMark<'UpToDate'> | undefined {
  const { situation, resource, marks } = seen;
  // An instance whose certificate differs has other files than those in the Secrets, so its marks have another key.
  const told = stayingIn(situation).flatMap(({ name, report }) => {
    const used = report?.credentials;
    return marks && used?.certificate === marks.certificate ? [{ name, used }] : [];
  });
  const names = objectNames(resource.metadata.name);
  const failed = told.find(({ used }) => used.problem !== undefined);
  if (failed) return { reason: 'PasswordNotApplied', message: `${failed.name}: ${failed.used.problem}` };
  const ends = secretsWithPasswords.filter((end) => told.some(({ used }) => used.applied[end] !== marks?.applied[end]));
  if (ends.length === 0) return undefined;
  const late = told.filter(({ used }) => ends.some((end) => used.applied[end] !== marks?.applied[end]));
  const secrets = ends.map((end) => names[end]).join(', ');
  const message = `Waiting for ${late.map(({ name }) => name).join(', ')} to apply the passwords of ${secrets}, which takes up to two minutes`;
  return { reason: 'ApplyingPasswords', message };
}
