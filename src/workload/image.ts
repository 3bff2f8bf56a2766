const registry = /^[a-z0-9][-a-z0-9._]*(:\d+)?(\/[a-z0-9][-a-z0-9._]*)*$/;

const secretName = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** What the text of a registry must be, for messages. */
export const imageRegistryRule =
  'a registry with an optional path, such as registry.example.com/mirror, without a scheme, a tag or a slash at its end';

/** Whether a text is a registry with an optional path, such as `registry.example.com:5000/mirror`. */
export function isImageRegistry(text: string): boolean {
  return registry.test(text);
}

/**
 * The image in another registry: all before its name is replaced.
 * @param place registry with an optional path. Empty or undefined for the registry of the image
 * @example imageIn('registry.example.com/mirror', 'traefik:v3.6.7') // registry.example.com/mirror/traefik:v3.6.7
 */
export function imageIn(place: string | undefined, image: string): string {
  if (place === undefined || place === '') return image;
  return `${place}/${image.slice(image.lastIndexOf('/') + 1)}`;
}

/** Whether a text can be the name of a Secret with credentials for a registry. */
export function isSecretName(text: string): boolean {
  return secretName.test(text);
}
