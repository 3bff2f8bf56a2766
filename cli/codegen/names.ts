/** The words of a name in any spelling: `HTTPRoute`, `http-route` and `httpRoute` have the same two words. */
function words(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
}

/** The name of a file, for example `http-route`. */
export function kebab(name: string): string {
  return words(name).join('-').toLowerCase();
}

/** The name of a constant, for example `httpRoute`. */
export function camel(name: string): string {
  const [first = '', ...others] = words(name);
  return first.toLowerCase() + others.map(capital).join('');
}

/** The name of a type, for example `HTTPRoute` or `V1Alpha1`. Capitals inside words stay. */
export function pascal(name: string): string {
  return name
    .replace(/([0-9])([a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map(capital)
    .join('');
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
