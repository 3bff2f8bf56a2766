import { operatorImage } from '../../src/install/image.js';

/** An image that a Dockerfile of this project makes. */
export interface ProjectImage {
  /** With its tag. */
  readonly name: string;
  /** The folder of its Dockerfile, from the root. */
  readonly folder: string;
  /** Build arguments. @default none */
  readonly args?: Readonly<Record<string, string>>;
}

/** The server that Algorithms are tried with, in a version of its table. */
export function serverImage(version: string): string {
  return `registry.alien6.io/reconstruct/algorithm-server:${version}`;
}

/** Two good versions, and one that fails. */
const serverVersions = ['1.0.0', '1.1.0', '1.2.0'];

/** Every image that this project has. */
export const projectImages: readonly ProjectImage[] = [
  { name: operatorImage, folder: '.' },
  ...serverVersions.map((version) => ({
    name: serverImage(version),
    folder: 'examples/algorithm-server',
    args: { VERSION: version },
  })),
];
