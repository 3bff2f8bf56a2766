import type { Manifest } from '../../../runtime/kubernetes/object.js';
import type { FakeSource } from './answers.js';
import type { GivenResource } from './given-resource.js';
import type { PortModel } from './memory-port.js';

/** The test data of the contract. */
export interface ControllerCase {
  readonly resource: GivenResource;
  /**
   * Another spec, which must change the desired objects or the systems outside. For a resource without a spec, other
   * fields of its manifest, such as `{ metadata: { labels } }`.
   */
  readonly edited: object;
  /** The same for a resource that the controller does not select. @default - `selects` is not tested */
  readonly unselected?: object;
  /** Objects that the resource refers to, with their status, if its controller reads any. @default - none exist */
  readonly reads?: readonly Manifest[];
  /** Answers to the polls of the controller. @default - every question fails */
  readonly answers?: readonly FakeSource[];
  /** The systems that the controller calls. They answer its polls of them too. @default - every call fails */
  readonly ports?: readonly PortModel[];
  /**
   * Further resources that may exist beside this one, if the spec itself names objects. @default - the same spec under
   * similar names and in another namespace
   */
  readonly others?: readonly GivenResource[];
  /** A spec that `desire` rejects. @default - rejection is not tested */
  readonly rejected?: object;
  /** A spec and a status with which the resource has expired. @default - `expiresAt` is not tested */
  readonly expired?: { readonly spec: object; readonly status: object };
}
