import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

type Spec = Readonly<Record<string, unknown>>;

/**
 * Each field of the spec that an edit changes has an effect of its own: alone, or beside the others. A `desire` that keeps
 * something from one call to the next says the same for ever of some field, and is hidden by another that it does go by.
 *
 * @param become what a resource of this spec becomes
 * @throws {Error} that names the field which changes nothing
 */
export async function fieldEffects(
  { spec, edited }: { readonly spec: object; readonly edited: object },
  become: (spec: object) => Promise<object>,
): Promise<void> {
  const fields = [...new Set([...Object.keys(spec), ...Object.keys(edited)])];
  const changed = fields.filter((name) => !isDeepStrictEqual((spec as Spec)[name], (edited as Spec)[name]));
  if (changed.length < 2) return; // the edit as a whole is this one field
  const [before, after] = [await become(spec), await become(edited)];
  for (const name of changed) {
    const hasEffect =
      !isDeepStrictEqual(await become(exchanged(spec, edited, name)), before) ||
      !isDeepStrictEqual(await become(exchanged(edited, spec, name)), after);
    assert.ok(
      hasEffect,
      `nothing comes of another ${name}: leave it as it is in the edited spec, if it is not to become anything; else ` +
        'desire goes by what it kept from an earlier call, so keep nothing between two calls',
    );
  }
}

/** A spec with one field of another. */
function exchanged(spec: object, other: object, name: string): object {
  const { [name]: _, ...rest } = spec as Spec;
  return name in other ? { ...rest, [name]: (other as Spec)[name] } : rest;
}
