import type { Construct } from 'constructs';
import { DatabaseWorker, instanceImage, suffixedName } from '../../../src/index.js';
import { allowRejection, createOnly } from '../../runtime/index.js';
import { stepOf } from './plan/index.js';
import { closedBy, situationOf } from './situation.js';
import type { BackupView } from './view.js';
import { workerSuffix } from './worker.js';

/** Renders the current worker, if any. Its Pod stays until the status has its result. */
export function desire(scope: Construct, view: BackupView): void {
  const situation = situationOf(view);
  const step = stepOf(situation);
  const { backup, database } = situation;
  if (step.does !== 'work' || !database) return;
  const { name, namespace = '' } = backup.metadata;
  const worker = new DatabaseWorker(scope, 'worker', {
    name: suffixedName(name, workerSuffix(step.task, step.attempt)),
    namespace,
    database: database.metadata.name,
    backup: name,
    spec: database.spec,
    image: instanceImage(database.spec),
    task: step.task,
    type: backup.spec.type,
    label: backup.status?.label,
    ...(step.task === 'close' && { instance: closedBy(situation) }),
  });
  createOnly(worker);
  const remedy = 'lower spec.backup.resources of the Database, or change its spec.podTemplate';
  allowRejection(worker, remedy, { holdsUp: false });
}
