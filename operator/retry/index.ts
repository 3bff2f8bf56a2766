export { type Fault, faultText } from './fault.js';
export { type GrownMemory, memoryWith } from './memory.js';
export {
  defaultRetryPolicy,
  type FaultMatch,
  type MemoryGrowth,
  type RetryBackoff,
  type RetryPolicy,
  type RetryRule,
} from './policy.js';
export { noFailures, type RetryContext, type RetryRecord, type Verdict, verdictOn } from './verdict.js';
