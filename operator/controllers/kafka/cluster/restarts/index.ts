export type { HookProgress } from './hook-progress.js';
export { hookAsked, hookCall, httpProgress, renderHttpHook } from './http-hook.js';
export { jobProgress, renderHookJobs } from './job-hook.js';
export { type RestartReport, restartReport } from './restart-report.js';
