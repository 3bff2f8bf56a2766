/** A mistake that was planted into the code, and the tests that failed because of it. */
export interface PlantedBug {
  /** The number of the guarantee that it breaks. */
  readonly guarantee: number;
  /** What the code does wrong. */
  readonly bug: string;
  /** Titles of tests, or of the rows of their tables, as the code has them. `…` stands for the rest. */
  readonly failing: readonly string[];
}

/** The bugs of each guarantee: what the code does wrong, then the tests that fail. */
const byGuarantee: Readonly<Record<number, readonly (readonly [bug: string, ...failing: string[]])[]>> = {
  1: [['A list returns only metadata.', 'R1 has all of each object, and says what it is']],
  2: [
    ['The connection pool has no limit.', 'R2 is one of 10,000 over no more connections than allowed'],
    ['A request has no total deadline.', 'R2 ends when $when'],
    ['Watches share the pool of the requests.', 'R2 has a connection of its own…'],
  ],
  3: [
    ['Credentials are used for 90 s.', 'R3 reads its token again after 60 s and keeps unchanged credentials'],
    ['New certificates do not replace the pool.', 'R3 uses new certificates as soon as there are some'],
    ['A credential plug-in, or its pipes, stay open.', 'R3 a plug-in $what is ended…'],
  ],
  4: [
    ['Any 404 proves that an object is absent.', 'R4 $what that is answered with 404…'],
    ['A Status is read as a list.', 'R4 $what fails if the answer is 200 with $is'],
    ['A create counts as idempotent.', 'R4 %s leaves %s times'],
    ['Retry-After is ignored.', 'R4 waits as long as the server asks'],
  ],
  5: [
    ['A refused stream is requested again.', 'R5 asks for $asks when $when'],
    [
      'Bookmarks before the end of the initial list count as progress.',
      'R5 finds out within 70 s that one streams no end, whatever bookmarks it sends',
    ],
  ],
  6: [
    ['Any failure discards the resource version.', 'R6 $does when $when, without a list'],
    [
      'All failures share one counter.',
      'R6 waits short for what went wrong only now, and long again for what had gone wrong before',
    ],
    [
      'The backoff has no jitter.',
      'R6 waits short for what went wrong only now, and long again for what had gone wrong before',
    ],
    ['An attempt without an answer counts as an answer.', 'R6 says that $stuck are stuck when $when'],
  ],
  7: [
    [
      'A silent watch is tolerated for 140 s.',
      'R7 finds a connection that is open but dead within 70 s, and goes on where it was',
    ],
    ['A new list deletes nothing from the cache.', 'R7 reports missed deletions and no unchanged objects'],
  ],
  8: [['Each attempt logs the missing kind.', 'R8 waits for a kind that is not served, and says so once']],
  9: [
    ['A deleted object still counts its bytes.', 'R9 is that of its objects, however they come and go'],
    ['An object that is kept in part counts all of its bytes.', 'R9 counts of what is not ours no more than it keeps'],
  ],
  10: [
    ['`add` ignores a running reconcile.', 'R10 is in progress until its failure is reported'],
    ['An add during a reconcile is dropped.', 'R10 added any number of times during its pass makes exactly one more'],
    ['A finished key stays in memory.', 'R10 that nothing is left to do for is forgotten'],
  ],
  11: [
    ['A later add lowers the priority, or never raises it.', 'R11 goes $order when $when'],
    ['A retry that is due has the priority of a routine check.', 'R11 goes $order when $when'],
    ['A periodic check that is due has the priority of an event.', 'R11 goes $order when $when'],
  ],
  12: [
    ['Events end the backoff.', 'R12 is neither hastened nor delayed by events, which do not count as failures'],
    ['Edits wait for the backoff.', 'R12 runs again at once after an edit $when, and its failures still count'],
    ['A successful reconcile keeps the count.', 'R12 ends the row of failures only by a pass that does not fail'],
  ],
  13: [
    ['The later time wins.', 'R13 comes after $at ms when $when, once'],
    ['The replaced timer still fires.', 'R13 comes after $at ms when $when, once'],
    ['A reconcile leaves the timer running.', 'R13 is settled by a pass before it'],
  ],
  14: [
    [
      'Lower priorities get no turn, or always the same one gets it.',
      'R14 edits without end do not starve a key of priority %s',
    ],
  ],
  15: [
    [
      'Closing does not wait, or leaves waiting keys or timers.',
      'R15 lets passes that run end, drops what waits, and takes nothing up again',
    ],
    [
      'A reconcile that ends after the close leaves its timer.',
      'R15 leaves no timer behind for a pass that failed meanwhile',
    ],
  ],
  16: [
    ['The store forgets that a read found an object absent.', 'R7 R16 what a read has shown to be gone…'],
    [
      'A write that the fence stopped at its second attempt counts as never sent.',
      'R29 R16 that the term of the lease stops at its second try…',
    ],
    ['A conflict leaves no doubt about the cache.', 'R16 R7 what a write shows to be newer…'],
    [
      'The store forgets the versions that it wrote.',
      'R16 is seen by the next read, and causes nothing, when its echo comes…',
    ],
    ['The store drops events that arrive during a write.', "R16 does not hide somebody else's…"],
    ['An answer overwrites newer watch events.', 'R16 whose answer is old news…'],
    ['The store forgets what it removed.', 'R16 is not undone by $when'],
    ['No reconcile follows one that changed what `desire` observed.', 'R16 takes each step at once, and then rests'],
  ],
  17: [
    ['An object that must still be pruned counts as settled.', 'an object does not go'],
    ['An edit during a reconcile is lost because no version shows it.', 'an edit during the pass…'],
    ['A function that reads the time counts as settled.', 'a minute passes, and `desire` looks at the time'],
    ['The observed status is left out of the versions.', 'a status moves that `desire` looks at'],
    [
      'An object in the way counts as desired.',
      'an object in the way is looked for again, and not taken for what is desired',
    ],
    ['Labels are left out of the comparison.', 'somebody labels an object'],
    ['What was rendered is kept although its inputs have no version.', 'R17 keeps nothing where %s was looked at…'],
  ],
  18: [
    ['`change` does not take over the fields of the create.', 'TestDiff_Removals', 'TestUpgradeCSA…'],
    ['`change` omits the observed resource version.', 'R18 go when they are not wanted any more…'],
    ['A list without known keys is merged.', 'a list without keys differs'],
    ['List keys are guessed from the name of a field.', 'R17: $covered when $when'],
    [
      'Additions to a list or selector with one owner stay.',
      'R18 what somebody adds to what has one owner is taken back…',
    ],
    ['A create is not strict about unknown fields.', 'R18 a field that the kind does not have…'],
  ],
  19: [
    ['Waves are not sorted.', 'R19 makes everything, wave after wave, and then says so'],
    ['`apply` continues after a failed wave.', 'R19 TestApplyAllStaged_PartialFailure…'],
  ],
  20: [
    ['`update` does not ask whether the change is blocked.', 'R20 is not asked for again…'],
    ['`remove` omits the resource version.', 'R20 that another client has changed since is not deleted'],
    ['Recreation skips the dry run.', 'R20 is not deleted for a wish that no new object could have either'],
    [
      'Every refused change counts as a new desired state.',
      'R20 that somebody else changed where it cannot be put back…',
    ],
    ['A refusal leaves no field out of the next write.', 'R18 R20 what stands in the way goes…'],
  ],
  21: [
    ['The breaker finds no lost field.', 'R21 is given up the fifth time, and both are named'],
    ['The breaker blames the same writer each time.', 'by two managers in turn'],
    ['The window never ends.', 'five times in more than five minutes'],
    ['Write loops are not counted.', 'R21 is cut after twenty writes, and the field that moves is named'],
  ],
  22: [
    ['The inventory is written after the apply, or without the new objects.', 'R22 at any call…', 'R22 are recorded…'],
    ['Prune does not check the owner that an object names.', 'R22 deletes nothing…'],
    ['Prune runs although an apply failed.', 'R22 is not pruned while something could not be applied'],
    ['The finalizer is removed before all objects are gone.', 'R22 hold their resource while a finalizer holds them'],
    ['The inventory is written without a resource version.', 'R22 stay in the inventory of which nothing was heard…'],
    ['Objects are created before the inventory is known to be current.', 'R22 are not made while the inventory…'],
    ['Prune trusts the cache about absent objects.', 'R22 are undone though…'],
    ['A shared object is applied without its version.', 'R22 keeps an owner…'],
    ['Prune ignores other owners.', 'R22 stays when one of its owners…'],
    [
      'Garbage collection does not list the existing resources.',
      'R22 what belongs to a resource…',
      'R22 that a server does not serve…',
    ],
  ],
  23: [['`update` does not ask who owns the object.', 'R23 is left alone, and its owner is named, when $when']],
  24: [
    ['Each reconcile sets new transition times.', 'R24 $time when $when'],
    ['`Stalled` or `Reconciling` is missing.', 'R24 kstatus reads $is…', 'R24 says $says when $when'],
    ['A condition that was not assessed counts as met.', 'R24 is $ready because of $reason where $of'],
    ['The status is written on each reconcile, or stale conditions stay.', 'R24 is written: $writes, when $when'],
    [
      'A condition that another manager wrote under our name stays.',
      'R24 removes an own condition that another client…',
    ],
    ['The schema has no default for `observedGeneration`.', 'R24 kstatus reads InProgress until…'],
  ],
  25: [
    ['No failure is due for an event.', 'R25 is counted in the status, told as an event…'],
    [
      'Only a failure with exactly the configured number is due.',
      'R25 is recorded even if the third failure in a row is a conflict',
    ],
    ['`retryCount` is missing.', 'R25 because the controller is wrong…'],
    ['Every thrown value is taken for an Error.', 'R25 is isolated and told when desire throws $throws'],
    ['Facts are not frozen.', 'R9 R25 names the controller whose code…'],
  ],
  26: [
    ['A deadline aborts nothing.', 'R26 is given up after its deadline'],
    [
      'The generation fence lets all writes through.',
      'R26 is not made so by the old spec any more…',
      'R26 R28 is not made any more when $when',
    ],
    ['A superseded reconcile counts as a failure.', 'R14 R26 gets its turn, though edits never end'],
    ['Reconciles are superseded without limit.', 'R14 R26 gets its turn, though edits never end'],
    ['An external source has no deadline.', 'R26 is what was not answered in time…'],
    ['Polls of a source are not limited.', 'R26 is asked of so many at a time…'],
  ],
  27: [
    ['The plan knows no older spec.', 'R27 mends by the last accepted spec what $what'],
    ['A rejection keeps no revision.', 'R27 with revisions kept $keepsRevisions…'],
    ['An accepted spec leaves an older revision.', 'R27 never goes back behind one that was accepted since…'],
    ['Revisions are recognized by their label.', 'R27 R34 is not mended by a revision that $when'],
    ['`always` does not write.', 'R27 is kept before anything is made of it where each is, and the one before it goes'],
    ['No spec counts as older than the accepted one.', 'R27 is no older spec that this process accepted last…'],
    ['Later revisions are deleted too.', 'R27 the last accepted spec that another process keeps outlives…'],
  ],
  28: [
    [
      'A deleted resource without our finalizer is still reconciled.',
      'R28 that is deleted before its first pass is let go, and nothing is made',
    ],
    ['The finalizer is added after the apply.', 'R28 has the finalizer before anything is made for it…'],
    ['A resource that owns nothing gets the finalizer.', 'R28 has no finalizer while there is nothing to undo'],
    [
      'The finalizer is removed while an object is left, or `Ready` stays True.',
      'R28 stays while an object of it is held by a finalizer',
    ],
    ['A stale finalizer is not reported.', 'R33 R28 a finalizer in the name…'],
    ['Any value of the release annotation is accepted.', 'R28 is not given up for an annotation $when…'],
    ['A deadline is not reported, or ignores its policy.', 'R28 is kept up, and said after its deadline…'],
    ['A deadline waits for the backoff.', 'R28 waits out no backoff at its deadline'],
    ['The finalizer is removed without lists.', 'R28 finds what another one made…'],
    [
      'A resource that needs no finalizer any more loses it without lists.',
      'R28 keeps the finalizer of a resource that wants nothing…',
    ],
    ['A failed list counts as empty.', 'R28 keeps the resource while the server does not list…'],
    ['A manual release waits for lists.', 'R28 releases a resource on…'],
    ['Lists include objects of other owners.', 'R28 is not held up by objects of other resources…'],
    ['The finalizer is removed without a resource version.', 'R28 lets go of the very version…'],
  ],
  29: [
    ['The fence wraps nothing.', 'R29 † writes nothing when it goes on…'],
    [
      'The fence ignores the end of the term.',
      'R29 sends no write when it goes on…',
      'R29 is not retried after the lease term ended, even…',
    ],
    ['A write is not checked when it leaves.', 'R29 sends $sends when the pool is full…'],
    ['The end of a term aborts nothing.', 'R29 is aborted'],
    ['A term is counted from the answer.', 'R29 has its term counted from…'],
    ['Each conflict of a renewal is a loss.', 'R29 goes on when $when'],
    ['A change of the metadata renews the lease.', 'R29 acquires the lease of a killed leader while…'],
    ['A term lasts 14.9 s.', 'R29 have $leaders when $when'],
    ['A deleted or shortened lease is trusted at once.', 'R29 that somebody $meddles…'],
    ['Renewal stops when the stop is requested.', 'R29 is kept while…'],
  ],
  30: [
    [
      'Running reconciles are aborted at once.',
      'R30 finishes the passes that run, takes up no other, gives the lease back and ends',
    ],
    ['The grace period has no end.', 'R30 gives passes up that take longer than the grace'],
    ['The lease is not released.', 'R29 R30 is given back on a clean stop…', 'R30 † finishes what it does…'],
    ['A second signal is ignored.', 'R30 exits at once with 1…'],
    ['Events delay the exit without limit.', 'R30 does not delay shutdown by events without an answer'],
  ],
  31: [
    ['The timer of a term outlives the term.', 'R31 "should not leak goroutines when stopped"…'],
    ['Reconciles do not wait for the caches.', 'R31 judges nothing before…'],
    ['Watches end with the signal.', 'R31 "should only cancel the leader election…'],
    ['A process that is stopping tries to lead.', 'R31 "should prevent leader election…'],
    ['The exit waits for no event.', 'R31 TestNonRacyShutdown…'],
    ['A server stays open when another cannot start.', 'R31 "should return an error…'],
  ],
  32: [
    ['`workqueue_retries_total` has another name.', 'R32 is there: %s', 'R32 has a line for each metric of ours'],
    ['A server ignores its guard.', 'R32 answer $code to a $token token at $path'],
    ['The guard has no limit.', 'R32 sends at most four reviews at a time'],
    ['The guard caches answers without end.', 'R32 believes $answer for $ms ms'],
    ['Messages are logged unescaped.', 'R32 stays one line of JSON…'],
    ['A reconcile logs without its ID.', 'R32 bear the same id…'],
    ['All reconciles share one ID.', 'R32 bear its id…'],
    ['Creates have no span.', 'R32 tells of a pass…'],
    ['A span hides a failure.', 'R32 tells of a failure…'],
    ['OpenTelemetry is loaded at the start.', 'R32 is not even loaded…'],
    ['A repeated event is created again.', 'R32 that repeats…'],
    ['Events have no limit for each resource.', 'R32 is one of 25…'],
    ['Events have no limit of concurrent requests.', 'R32 TestLotsOfEvents…'],
    ['An expired event counts as lost.', 'R32 TestUpdateExpiredEvent…'],
  ],
  33: [
    ['The rules grant `update` of the status beside `patch`.', 'R33 are these, and no other'],
    ['`dist/` grants `update` of the status beside `patch`.', 'R33 † are each used…'],
    ['`dist/` does not grant `get` of ConfigMaps and Services.', 'R33 † are enough…'],
  ],
  34: [
    ['Objects of any depth are read in full.', 'R34 that is nested deeper than anybody looks through…'],
    ['A partial object is taken for the whole.', 'R34 who refers by $by…'],
    ['A partial object stops its deletion.', 'R34 is rid of what it does not want, however deep that is'],
    ['Keys are looked up without `Object.hasOwn`.', 'R34 are compared as any other: %s'],
    ['The hash of a name covers only its readable part.', 'R34 is no other object’s…'],
    ['Owner lookup ignores the namespace.', 'R34 is not controlled by a resource of another namespace…'],
    ['Messages are not truncated.', 'R34 over a refusal of 40,000 characters…'],
    [
      'Text is truncated by characters instead of bytes.',
      'R34 † what is wrong is said…',
      'R34 of "$text" in 10 bytes is said "$is"',
    ],
    ['A truncated message is compared with the full one.', 'R34 is told once…'],
  ],
  35: [
    ['Only the first fault is reported.', 'R35 lists all faults at once'],
    ['Only the first contradiction is reported.', 'R35 lists all contradictions at once…'],
    ['Unknown flags are skipped.', 'R35 is refused with: $fault'],
    ['The description of an option changes.', 'R35 has a line of docs/operator/options.md for each option'],
  ],
  36: [
    ['An answer that is older than the last call counts.', 'R36 R37 R38 is $is when $when'],
    ['Unknown answers send calls.', 'R36 R37 R38 is $is when $when'],
    ['The resource is not read before a call.', 'R36 a call is sent only if the API server has…'],
    ['The lease is not checked when a call leaves.', 'R36 is none if the term has ended…'],
  ],
  37: [
    ['The same request is repeated at once.', 'R36 R37 reaches the server $reached times…'],
    ['A new leader forgets the calls of the previous one.', 'R37 a call whose result the dead process did not learn…'],
    ['No intent is written.', 'R37 the intent of an irreversible call is in the status…'],
  ],
  38: [
    ['A refusal for good is repeated.', 'R38 that a server refused for good is sent again after an edit…'],
    ['A call has no deadline.', 'R38 is a timeout after its deadline…'],
    ['The breaker never opens.', 'R38 that never answers is left alone for 30 s…'],
  ],
  39: [
    ['The finalizer is removed on an unknown answer.', 'R39 stays while the service is away…'],
    ['Calls whose effect may still show are forgotten.', 'R39 waits because of "$is" when $when'],
    ['The effect of a refused call is waited for.', 'R39 waits for no effect of a call that was refused…'],
    ['A lost call is waited for without end.', 'R39 waits for a lost call only until its effect had to show…'],
  ],
  40: [
    ['A paused resource is applied.', 'writes its status alone when $when…', 'R40 a paused resource is left alone…'],
    ['A call of a paused resource is sent.', 'are not sent, and sent when it is resumed'],
  ],
};

/** The bugs that were planted by hand. Those that the simulation plants itself are in `test/simulation/bugs.ts`. */
export const plantedBugs: readonly PlantedBug[] = Object.entries(byGuarantee).flatMap(([guarantee, bugs]) =>
  bugs.map(([bug, ...failing]) => ({ guarantee: Number(guarantee), bug, failing })),
);
