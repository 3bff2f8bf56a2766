import { ConfigMap, Job } from '../../operator/runtime/kubernetes/kinds.js';
import { add, type WidgetSpec, widgetController } from '../operator/runtime/given/widgets.js';

/** As `docs/owning.md` undoes: by a Job, which goes last, since it is the only proof of what it did. */
export const cleaned = widgetController({
  name: 'cleaned',
  owns: [ConfigMap, Job],
  finalizes: true,
  desire: (scope, { resource: { metadata, spec }, owned }) => {
    const { maps = {} } = spec as WidgetSpec;
    if (!metadata.deletionTimestamp) {
      for (const [name, data] of Object.entries(maps))
        add(scope, 'v1', 'ConfigMap', `${metadata.name}-${name}`, { data });
    } else if (!owned.one(Job)?.status?.succeeded || owned.of(ConfigMap).length > 0) {
      const containers = [{ name: 'purge', image: 'purge:1', args: [metadata.name] }];
      const template = { spec: { restartPolicy: 'OnFailure', containers } };
      add(scope, 'batch/v1', 'Job', `${metadata.name}-purge`, { spec: { template } });
    }
  },
  assess: () => ({ conditions: { Sized: { reason: 'Fits' } } }),
});
