import type { Member } from '../member/member.js';

/** What every step of a plan has. A kind adds its own acts and names their subject. */
export interface AnyStep {
  readonly act: string;
  /** The subject of the step, which selects the condition that reports it. */
  readonly concern: string;
  /** What happens and why, as a sentence for people. */
  readonly why: string;
}

/** A step that waits for a fact or an event. */
export interface WaitStep<Concern extends string = string> extends AnyStep {
  readonly act: 'wait';
  readonly concern: Concern;
  /** No other step is taken. For facts that only a person can judge. @default false */
  readonly halts?: true;
}

/**
 * A step that changes one member.
 * - `replace`: deletes its Pod and recreates it on the same PVCs.
 * - `stop`: deletes its Pod, and keeps it stopped.
 * - `retire`: deletes its Pod and labels its PVCs, which are kept. No member runs on them again.
 */
export interface MemberStep<M extends Member = Member, Concern extends string = string> extends AnyStep {
  readonly act: 'replace' | 'stop' | 'retire';
  readonly concern: Concern;
  readonly member: M;
}

/** A step that creates members. */
export interface AddStep<Concern extends string = string> extends AnyStep {
  readonly act: 'add';
  readonly concern: Concern;
}

/** A step that asks the engine to change something. */
export interface CallStep<Request = unknown, Concern extends string = string> extends AnyStep {
  readonly act: 'call';
  readonly concern: Concern;
  readonly request: Request;
}

/** A step that waits for a fact or an event. */
export function waitStep<Concern extends string>(concern: Concern, why: string): WaitStep<Concern> {
  return { act: 'wait', concern, why };
}

/** A step that waits, and stops all other steps, until a person has changed something. */
export function haltStep<Concern extends string>(concern: Concern, why: string): WaitStep<Concern> {
  return { act: 'wait', concern, why, halts: true };
}
