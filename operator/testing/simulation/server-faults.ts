import type { Scene } from './environment/scene.js';

/** Milliseconds between two bookmarks, like those of real API servers. */
const betweenBookmarks = 55_000;

/** Schedules faults and bookmarks of the API server. */
export function troubleServer({ server: { memory }, time, weather, history }: Scene): void {
  const trouble = () => {
    if (weather.isCalm) return;
    if (weather.comes('expiries')) {
      history.say('server', 'discards old events');
      memory.expire();
    } else if (weather.comes('cut watches')) {
      history.say('server', 'ends all watches');
      memory.endWatches();
    }
    time.after(weather.untilNext(), trouble);
  };
  const bookmark = () => {
    memory.bookmark();
    time.after(betweenBookmarks, bookmark);
  };
  time.after(weather.untilNext(), trouble);
  time.after(betweenBookmarks, bookmark);
}
