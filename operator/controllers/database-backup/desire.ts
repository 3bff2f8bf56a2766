import type { Construct } from 'constructs';
import { DatabaseWorker, instanceImage, suffixedName } from '../../../src/index.js';
import { allowRejection, createOnly } from '../../runtime/index.js';
import { closedBy, nextActionOf } from './progress.js';
import { workerSuffix } from './result.js';
import { type BackupFacts, situationOf } from './situation.js';

/** Renders the current worker, if any. Its Pod stays until the status has its result. */
export function desire(scope: Construct, facts: BackupFacts): void {
  const situation = situationOf(facts);
  const course = nextActionOf(situation);
  const { backup, database } = situation;
  if (course.does !== 'work' || !database) return;
  const { name, namespace = '' } = backup.metadata;
  const worker = new DatabaseWorker(scope, 'worker', {
    name: suffixedName(name, workerSuffix(course.task, course.attempt)),
    namespace,
    database: database.metadata.name,
    backup: name,
    spec: database.spec,
    image: instanceImage(database.spec),
    task: course.task,
    type: backup.spec.type,
    label: backup.status?.label,
    ...(course.task === 'close' && { instance: closedBy(situation) }),
  });
  createOnly(worker);
  const remedy = 'lower spec.backup.resources of the Database, or change its spec.podTemplate';
  allowRejection(worker, remedy, { holdsUp: false });
}
