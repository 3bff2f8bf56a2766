/** A mistake that the simulation must find: one change to one file of the compiled runtime. */
export interface Bug {
  /** What the runtime does wrong. */
  readonly name: string;
  /** Of the compiled code, below `operator/runtime/`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** The promise that it breaks, or the beginning of it. */
  readonly breaks: string;
  /** Of `subjects`: on which controller it shows. */
  readonly subject: string;
  /** The first seed to try: what shows seldom need not be looked for from the start each time. @default 0 */
  readonly from?: number;
  /** Seeds within which it is found. */
  readonly within: number;
}

export const bugs: readonly Bug[] = [
  {
    name: 'removes whatever has the name',
    file: 'prune.js',
    find: 'const seen = { uid: metadata.uid, resourceVersion: metadata.resourceVersion };',
    replace: 'const seen = {};',
    breaks: "leaves somebody else's objects alone",
    subject: 'maps',
    from: 370,
    within: 500,
  },
  {
    name: 'prunes before it applies',
    file: 'pass.js',
    find: 'const obstacles = await apply(desired, applying);',
    replace: 'await tidy(inventory, desired, applying); const obstacles = await apply(desired, applying);',
    breaks: 'prunes only when everything that is wanted has been applied',
    subject: 'maps',
    within: 50,
  },
  {
    name: 'prunes though an apply failed',
    file: 'pass.js',
    find: 'const obstacles = await apply(desired, applying);',
    replace: 'const obstacles = await apply(desired, applying).catch(() => []);',
    breaks: '',
    subject: 'maps',
    within: 100,
  },
  {
    name: 'says Ready before it applies',
    file: 'pass.js',
    find: 'const obstacles = await apply(desired, applying);',
    replace:
      'await conclude(applying, view, { obstacles: [] }, desired); const obstacles = await apply(desired, applying);',
    breaks: 'says Ready only of a spec of which everything has been applied',
    subject: 'waves',
    within: 50,
  },
  {
    name: 'takes what has the name of its object',
    file: 'ownership.js',
    find: 'return isOwn || isHandedOver(live, applying);',
    replace: 'return true;',
    breaks: "leaves somebody else's objects alone",
    subject: 'maps',
    within: 50,
  },
  {
    name: 'makes an object without looking who has its name',
    file: 'apply.js',
    find: 'cluster.create(desired.kind, wish,',
    replace: 'cluster.apply(desired.kind, wish,',
    breaks: "leaves somebody else's objects alone",
    subject: 'maps',
    within: 50,
  },
  {
    name: 'lets go before it has undone',
    file: 'deleting-pass.js',
    find: 'desired?.length === 0 && left.length === 0',
    replace: 'desired?.length === 0',
    breaks: 'lets a resource go only when nothing of it is left',
    subject: 'finalizer',
    from: 150,
    within: 500,
  },
  {
    name: 'makes objects before it holds its resource',
    file: 'hold.js',
    find: 'if (isNeeded && !(isHeld && isSame(before, all)))',
    replace: 'if (false)',
    breaks: 'lets a resource go only when nothing of it is left',
    subject: 'finalizer',
    within: 100,
  },
  {
    name: 'leads on when it has slept through its term',
    file: 'reign.js',
    find: '!this.signal.aborted && this.clock.monotonic() < this.#until',
    replace: '!this.signal.aborted',
    breaks: 'writes within the term of its lease only',
    subject: 'maps',
    from: 60,
    within: 500,
  },
  {
    name: 'forgets what it wrote',
    file: 'store.js',
    find: 'if (!told && (!before || isNewer(answer, before)))',
    replace: 'if (false)',
    breaks: '',
    subject: 'finalizer',
    within: 100,
  },
  {
    name: 'swallows what others did while it wrote',
    file: 'store.js',
    find: 'if (!isOurs(version, change))',
    replace: 'if (false)',
    breaks: 'brings the world to what is wanted',
    subject: 'maps',
    from: 50,
    within: 500,
  },
  {
    name: 'drops a change that comes during a pass',
    file: 'queue.js',
    find: 'entry.owed = priority;',
    replace: 'if (entry.began !== undefined) return; entry.owed = priority;',
    breaks: 'brings the world to what is wanted',
    subject: 'maps',
    within: 100,
  },
  {
    name: 'misses at a new list what was deleted',
    file: 'store.js',
    find: 'if (!missed || compareVersions',
    replace: 'if (true || compareVersions',
    breaks: 'brings the world to what is wanted',
    subject: 'maps',
    within: 500,
  },
  {
    name: 'does not try again after a failure',
    file: 'queue.js',
    find: 'if (!entry.owed)',
    replace: 'if (false)',
    breaks: 'brings the world to what is wanted',
    subject: 'maps',
    within: 100,
  },
  {
    name: 'forgets that a write may have been carried out',
    file: 'doubts.js',
    find: 'if (!isAnswer(error))',
    replace: 'if (false)',
    breaks: '',
    subject: 'finalizer',
    from: 300,
    within: 1000,
  },
  {
    name: 'leaves fields that are not wanted any more',
    file: 'apply.js',
    find: 'if (handsOver && !isShapedLike(live, wish))',
    replace: 'if (false)',
    breaks: 'brings the world to what is wanted',
    subject: 'maps',
    within: 50,
  },
];
