import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

type Spec = Readonly<Record<string, unknown>>;

/**
 * Checks that each edited field of the spec has an effect, alone or together with the others. If `desire` keeps data
 * between calls, it may ignore a field, and the effect of another field would hide that.
 *
 * @param become returns the objects for a spec
 * @throws {Error} with the name of the field that has no effect
 */
export async function fieldEffects(
  { spec, edited }: { readonly spec: object; readonly edited: object },
  become: (spec: object) => Promise<object>,
): Promise<void> {
  const fields = [...new Set([...Object.keys(spec), ...Object.keys(edited)])];
  const changed = fields.filter((name) => !isDeepStrictEqual((spec as Spec)[name], (edited as Spec)[name]));
  if (changed.length < 2) return; // another check covers the edit of a single field
  const [before, after] = [await become(spec), await become(edited)];
  for (const name of changed) {
    const hasEffect =
      !isDeepStrictEqual(await become(exchanged(spec, edited, name)), before) ||
      !isDeepStrictEqual(await become(exchanged(edited, spec, name)), after);
    assert.ok(
      hasEffect,
      `a change of ${name} has no effect; if none is expected, do not change it in the edited spec; otherwise ` +
        'desire keeps data from an earlier call, so keep nothing between calls',
    );
  }
}

/** A spec with one field of another spec. */
function exchanged(spec: object, other: object, name: string): object {
  const { [name]: _, ...rest } = spec as Spec;
  return name in other ? { ...rest, [name]: (other as Spec)[name] } : rest;
}
