import type { Scene } from './environment/scene.js';

/** Milliseconds between two bookmarks, as real API servers send them. */
const betweenBookmarks = 55_000;

/** What befalls the API server itself, and its bookmarks. */
export function troubleServer({ server: { memory }, time, weather, history }: Scene): void {
  const trouble = () => {
    if (weather.isCalm) return;
    if (weather.comes('expiries')) {
      history.say('server', 'forgets what happened');
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
