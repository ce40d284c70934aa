import { duration, zoneName, zoneShort } from '../format/time';
import { useFreshness, useLive } from '../live/use-live';
import { Dot } from '../ui/badge';
import { Hint } from '../ui/button';
import { Icon } from '../ui/icon';
import { useZone, zone } from './preferences';

/** Whether what is shown is of this second. */
export function LiveStatus() {
  const fresh = useFreshness();
  const lost = useLive((snapshot) => snapshot.connection === 'lost');
  if (fresh.kind === 'waiting') {
    return (
      <span className="live-status">
        <Dot tone="neutral" /> Connecting
      </span>
    );
  }
  if (fresh.kind === 'live' && !lost) {
    return (
      <span className="live-status">
        <Dot tone="good" /> Live
      </span>
    );
  }
  return (
    <span className="live-status">
      <Dot tone="warn" /> {duration(fresh.age)} old
    </span>
  );
}

/** Above the page, once its live figures are too old to act on. */
export function StaleBanner() {
  const fresh = useFreshness();
  const calibrationAway = useLive(({ state }) => state?.calibration.stale === true);
  const detail = useLive(({ state }) => state?.calibration.detail);
  return (
    <div role="status">
      {fresh.kind === 'stale' ? (
        <p className="banner">
          <Icon name="warning" />
          <span>
            <b>Live figures are {duration(fresh.age)} old.</b> The connection to the dashboard is lost; it comes back by itself.
            Requests are routed all the same.
          </span>
        </p>
      ) : calibrationAway ? (
        <p className="banner">
          <Icon name="warning" />
          <span>
            <b>The calibration service does not answer.</b> Routers go on with what they have; nothing can be changed until it is
            back.{detail === undefined ? '' : ` (${detail})`}
          </span>
        </p>
      ) : null}
    </div>
  );
}

/** Which zone times are in; pressing it changes that. */
export function ZoneSwitch() {
  const shown = useZone();
  return (
    <Hint text={`Times are in ${zoneName(shown)}. Press for ${shown === 'utc' ? 'local time' : 'UTC'}.`}>
      <button type="button" className="zone-switch" onClick={() => zone.set(shown === 'utc' ? 'local' : 'utc')}>
        {zoneShort(shown)}
      </button>
    </Hint>
  );
}

