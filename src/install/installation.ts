import type { Identity } from '../workload/identity.js';
import type { PolicyRule } from './rules.js';

/** A kind as the API server addresses it. */
export interface InstalledKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** The cluster may lack it: the controller then waits, and keeps nobody waiting. @default false */
  readonly optional?: boolean;
}

/** What the installation needs to know of a controller; the operator's own declarations have it. */
export interface InstalledController {
  readonly name: string;
  readonly kind: InstalledKind;
  /** What it makes; a controller that makes something outside of its resources' namespaces must see all of them. */
  readonly owns?: readonly { readonly kind: string; readonly namespaced: boolean; readonly distant?: boolean }[];
  /** What it looks at; one that cannot do without what is in no namespace must see all of them. */
  readonly reads?: Readonly<Record<string, { readonly kind: InstalledKind }>>;
  /** What it may do, in each namespace that is watched. */
  readonly rights: readonly PolicyRule[];
}

/** An operator and the namespace that it lives in. */
export interface Installation extends Identity {
  readonly namespace: string;
}

/** The ports of the operator's pods, by the names that probes and the Service refer to. */
export const operatorPorts = { metrics: 8080, health: 8081 } as const;

/** The labels of an operator's pods. */
export function operatorLabels(name: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'reconstruct', 'app.kubernetes.io/instance': name };
}
