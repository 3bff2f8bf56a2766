const field = '"resourceVersion":"';

/**
 * The version of an object in its JSON as the API server writes it, found without parsing the rest; undefined where it
 * stands there more than once, so that nobody can state another one, by an annotation of that name for example.
 */
export function versionIn(json: string): string | undefined {
  const at = json.indexOf(field);
  if (at < 0 || json.indexOf(field, at + field.length) >= 0) return undefined;
  const from = at + field.length;
  return json.slice(from, json.indexOf('"', from));
}
