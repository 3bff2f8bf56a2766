/** The API for stateful kinds: members, rules in order of safety, one step. */
export { type GoneNodesAnswer, type GoneNodesQuestion, goneNodes } from '../pods/gone-nodes.js';
export { withLeftClaims } from '../pods/left-claims.js';
export { type NodeState, nodeState } from '../pods/node-state.js';
export type { Presence } from '../pods/presence.js';
export { applyClaimPolicy, type ClaimPolicy, claimSize, retiredLabel, retirementOf } from './claims/member-claim.js';
export type { HookProgress } from './hooks/hook-progress.js';
export { type HttpHookProps, hookCall, hookPollRequest, httpProgress, renderHttpHook } from './hooks/http-hook.js';
export {
  type JobHook,
  type JobHookProps,
  jobProgress,
  type RenderedJobHooks,
  renderJobHooks,
} from './hooks/job-hook.js';
export {
  type HookAnswer,
  type HookQuestion,
  type HookRequest,
  type RestartDocument,
  restartHooks,
} from './hooks/port.js';
export {
  type HookAction,
  type HookedResource,
  type HooksSpec,
  type HttpAction,
  type RecordedHook,
  type ResourceRestart,
  recordedHooks,
  runningHook,
} from './hooks/recorded-hooks.js';
export {
  type AnnouncingStep,
  announcedMember,
  type HookName,
  type HookState,
  type HookToRun,
  hookToRun,
  isAbout,
  isRunning,
  type MemberRestarts,
  postRestartHold,
  preRestartHold,
  type RecordedRestart,
} from './hooks/restart.js';
export {
  announcedRestart,
  type Reported,
  type RestartReport,
  restartAnnouncement,
  restartReport,
} from './hooks/restart-report.js';
export { type MemberFindings, memberConditions, memberMarks } from './kind/member-conditions.js';
export {
  activeMembersIn,
  hasOtherRevision,
  type KindStep,
  type MemberPlan,
  type MemberSituation,
  type NamingStep,
  nextMemberNames,
  planMembers,
  type RetirableMember,
} from './kind/member-plan.js';
export {
  createFirstMembers,
  createMembers,
  createMissingMembers,
  type MemberKnowledge,
  memberRules,
  type ReplacingSituation,
} from './kind/member-rules.js';
export {
  enginePollRequest,
  goneNodesPollRequest,
  type MemberReads,
  type MemberView,
  memberClaimsOf,
  memberObjectsOf,
  memberReads,
  type StableMemberView,
} from './kind/member-view.js';
export { type MemberRendering, renderMembers } from './kind/render-members.js';
export {
  because,
  type Member,
  type MemberNames,
  type MemberObjects,
  membersFrom,
  type ObjectsOfMember,
  revisionAnnotation,
} from './member/member.js';
export { goneNodesAsked, type NodesOfVolumes, readNodes } from './member/node-reads.js';
export { type LostVolumeProps, retireLost } from './plan/lost-volume.js';
export {
  actingStep,
  activeMembers,
  type Change,
  isMeant,
  keptMembers,
  type PlanRule,
  type Rendering,
  stepOf,
  stepsOf,
} from './plan/plan.js';
export { repair } from './plan/repair.js';
export { isAllowed, type RolloutProps, rollingGroup, rollout } from './plan/rollout.js';
export {
  type AddStep,
  type AnyStep,
  type CallStep,
  haltStep,
  type MemberStep,
  type WaitStep,
  waitStep,
} from './plan/step.js';
export { memberStatus, readyRatio } from './status/member-status.js';
export { requeueIn } from './status/requeue.js';
export { percentInSteps, toTwoDigits } from './status/rounding.js';
export { scaleSelector } from './status/scale-selector.js';
export { withSends } from './status/sends.js';
export { sentence } from './status/sentence.js';
export { keepUntilAnswered } from './status/unanswered.js';
