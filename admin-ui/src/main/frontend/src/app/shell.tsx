import { Link, type LinkProps, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { basePath } from '../api/base';
import { send } from '../api/client';
import { Button } from '../ui/button';
import { Icon, type IconName } from '../ui/icon';
import { LiveStatus, ZoneSwitch } from './live-status';
import { Logo } from './logo';
import { usePool, usePoolNames } from './pools';
import { type Theme, theme, useTheme } from './preferences';
import { useCheckSession, useUser } from './session';

export function Shell() {
  const at = useRouterState({ select: (state) => state.location.pathname });
  // The menu of a phone is open on one page: it closes as one goes to another.
  const [openOn, setOpenOn] = useState<string>();
  const open = openOn === at;
  const setOpen = (to: boolean) => setOpenOn(to ? at : undefined);
  return (
    <div className="shell" data-menu={open ? 'open' : undefined}>
      <a className="skip" href="#content" onClick={skip}>
        Skip to content
      </a>
      <header className="topbar">
        <Button variant="ghost" label={open ? 'Close the menu' : 'Open the menu'} onPress={() => setOpen(!open)}>
          <Icon name={open ? 'close' : 'menu'} />
        </Button>
        <Logo />
        <b>ELDR</b>
        <span className="spacer" />
        <LiveStatus />
      </header>
      <nav className="sidebar" aria-label="Pages">
        <div className="brand">
          <Logo />
          <b>ELDR</b>
          <span className="spacer" />
          <LiveStatus />
        </div>
        <Navigation />
        <span className="spacer" />
        <Footer />
      </nav>
      <button type="button" className="scrim" tabIndex={-1} aria-hidden="true" onClick={() => setOpen(false)} />
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

/** With a `<base>`, a link to an anchor alone would leave the page. */
function skip(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function Navigation() {
  const pool = usePool();
  return (
    <div className="navigation">
      <ul>
        <Item to="/" icon="overview" name="Overview" activeOptions={{ exact: true }} />
      </ul>
      <PoolSwitch />
      {pool === undefined ? null : (
        <ul>
          <Item to="/pools/$pool/clusters" params={{ pool }} icon="clusters" name="Clusters" />
          <Item to="/pools/$pool/artifacts" params={{ pool }} icon="artifacts" name="Artifacts" />
          <Item to="/pools/$pool/refits" params={{ pool }} icon="refits" name="Refits" />
          <Item to="/pools/$pool/what-if" params={{ pool }} icon="whatif" name="What-if" />
          <Item to="/pools/$pool/workers" params={{ pool }} icon="workers" name="Workers" />
        </ul>
      )}
      <h2 className="nav-head">System</h2>
      <ul>
        <Item to="/routers" icon="routers" name="Routers" />
        <Item to="/audit" icon="audit" name="Audit" />
      </ul>
    </div>
  );
}

function Item({ icon, name, ...link }: LinkProps & { readonly icon: IconName; readonly name: string }) {
  return (
    <li>
      <Link className="nav-item" {...link}>
        <Icon name={icon} />
        {name}
      </Link>
    </li>
  );
}

/** Which pool the pages below are about. On one of them it goes to the same page of the other pool. */
function PoolSwitch() {
  const names = usePoolNames();
  const pool = usePool();
  const navigate = useNavigate();
  const at = useRouterState({ select: (state) => state.matches.at(-1)?.fullPath ?? '/' });
  if (pool === undefined) {
    return <h2 className="nav-head">No pool yet</h2>;
  }
  return (
    <label className="pool-switch">
      <span className="nav-head">Pool</span>
      <span className="select">
        <select
          className="input"
          value={pool}
          onChange={(event) => {
            const section = at.startsWith('/pools/$pool/') ? at.split('/')[3] : 'clusters';
            void navigate({ to: `/pools/$pool/${section ?? 'clusters'}`, params: { pool: event.target.value } });
          }}
        >
          {(names.includes(pool) ? names : [pool, ...names]).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <Icon name="down" />
      </span>
    </label>
  );
}

const NEXT_THEME: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const THEME_NAME: Readonly<Record<Theme, string>> = { system: 'as the system', light: 'light', dark: 'dark' };

function Footer() {
  const user = useUser();
  const chosen = useTheme();
  const checkSession = useCheckSession();
  const logOut = (): void => {
    send('DELETE', 'api/session').then(() => window.location.assign(basePath), checkSession);
  };
  return (
    <div className="sidebar-foot">
      <div className="user">
        <span className="clip" title={user.name}>
          {user.name}
        </span>
        <span className="faint">{user.role}</span>
      </div>
      <div className="row">
        <ZoneSwitch />
        <span className="spacer" />
        <Button variant="ghost" small label={`Colours: ${THEME_NAME[chosen]}`} onPress={() => theme.set(NEXT_THEME[chosen])}>
          <Icon name={chosen === 'system' ? 'system' : chosen === 'light' ? 'sun' : 'moon'} />
        </Button>
        <Button variant="ghost" small label="Log out" onPress={logOut}>
          <Icon name="logout" />
        </Button>
      </div>
    </div>
  );
}
