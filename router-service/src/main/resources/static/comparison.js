'use strict';

// What a client measured of the same requests in several pools, side by side and over time. Used by status.js.

const comparison = (() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const KEEP_MS = 5 * 60 * 1000;
  const WIDTH = 600;
  const HEIGHT = 120;
  const SERIES = 4;
  const history = new Map();

  function millis(value) {
    return value === undefined ? '–' : value.toFixed(1) + ' ms';
  }

  function change(value, baseline) {
    if (value === undefined || baseline === undefined || baseline === 0) {
      return '–';
    }
    const percent = 100 * (value / baseline - 1);
    return (percent > 0 ? '+' : percent < 0 ? '−' : '') + Math.abs(percent).toFixed(1) + ' %';
  }

  /** What the others are measured against: the pool that looks at load alone, if there is one. */
  function baselineOf(rows) {
    return rows.find((row) => row.policy === 'jsq') ?? rows[rows.length - 1];
  }

  function remember(client, rows, now) {
    rows.forEach((row) => {
      const key = client + '/' + row.pool;
      const points = (history.get(key) ?? []).filter((point) => now - point.at < KEEP_MS);
      if (row.report.tpotP50Ms !== undefined) {
        points.push({ at: now, value: row.report.tpotP50Ms });
      }
      history.set(key, points);
    });
  }

  function headline(rows, baseline) {
    const made = element('p', undefined, 'headline');
    const others = rows.filter((row) => row !== baseline && row.report.tpotP50Ms !== undefined);
    if (baseline.report.tpotP50Ms === undefined || others.length === 0) {
      made.textContent = rows.length > 1 ? 'Waiting for the first requests to end' : '';
      return made;
    }
    others.forEach((row) => {
      const line = element('span');
      line.append(
        element('b', change(row.report.tpotP50Ms, baseline.report.tpotP50Ms)),
        ' time per token with policy ' + row.policy + ' instead of ' + baseline.policy,
      );
      made.append(line);
    });
    return made;
  }

  function cells(row, baseline, index) {
    const made = element('tr');
    const name = element('td');
    name.append(element('i', '', 'key series-' + (index % SERIES)), row.pool);
    made.append(name, element('td', row.policy));
    const report = row.report;
    const against = row === baseline ? undefined : baseline.report;
    [
      [millis(report.tpotP50Ms), against && change(report.tpotP50Ms, against.tpotP50Ms)],
      [millis(report.tpotP99Ms), against && change(report.tpotP99Ms, against.tpotP99Ms)],
      [report.activeExperts?.toFixed(1) ?? '–', against && change(report.activeExperts, against.activeExperts)],
      [report.batch?.toFixed(1) ?? '–'],
      [String(report.completed ?? '–') + (report.failed ? ' (' + report.failed + ' failed)' : '')],
    ].forEach(([text, difference]) => {
      const cell = element('td', text, 'number');
      if (difference) {
        cell.append(element('small', difference));
      }
      made.append(cell);
    });
    return made;
  }

  function table(rows, baseline) {
    const made = element('table');
    const head = element('tr');
    head.append(element('th', 'Pool'), element('th', 'Policy'));
    ['Time per token, P50', 'P99', 'Experts loaded', 'Batch', 'Requests'].forEach((title) =>
      head.append(element('th', title, 'number')),
    );
    made.append(head);
    rows.forEach((row, index) => made.append(cells(row, baseline, index)));
    const scroll = element('div', undefined, 'scroll');
    scroll.append(made);
    return scroll;
  }

  function shape(name, attributes) {
    const made = document.createElementNS(SVG, name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    return made;
  }

  function chart(client, rows, now) {
    const series = rows.map((row) => history.get(client + '/' + row.pool) ?? []);
    const points = series.flat();
    const svg = shape('svg', { viewBox: '0 0 ' + WIDTH + ' ' + HEIGHT, role: 'img', class: 'chart' });
    svg.setAttribute('aria-label', 'Time per token, P50, of each pool over the last five minutes');
    if (points.length < 2) {
      return svg;
    }
    const oldest = Math.min(...points.map((point) => point.at));
    const span = Math.max(30000, now - oldest);
    const low = 0.95 * Math.min(...points.map((point) => point.value));
    const high = 1.02 * Math.max(...points.map((point) => point.value));
    const x = (at) => WIDTH - 1 - ((now - at) / span) * (WIDTH - 60);
    const y = (value) => HEIGHT - 6 - ((value - low) / Math.max(1e-9, high - low)) * (HEIGHT - 16);
    [low, high].forEach((value) => {
      svg.append(shape('line', { x1: 55, x2: WIDTH, y1: y(value), y2: y(value), class: 'grid' }));
      const label = shape('text', { x: 0, y: y(value) + 4 });
      label.textContent = value.toFixed(1) + ' ms';
      svg.append(label);
    });
    series.forEach((line, index) => {
      const path = line.map((point) => x(point.at).toFixed(1) + ',' + y(point.value).toFixed(1)).join(' ');
      svg.append(shape('polyline', { points: path, class: 'line series-' + (index % SERIES) }));
    });
    return svg;
  }

  function note(client, rows) {
    const report = rows[0].report;
    const parts = ['Measured by the client “' + client + '” over the last ' + (report.windowSeconds ?? '?') + ' s'];
    if (report.note) {
      parts.push(report.note);
    }
    parts.push('experts loaded: distinct experts of a decode step, mean over steps and layers');
    return element('p', parts.join('; ') + '.', 'note');
  }

  /** Shows pools as [{pool, policy, reports}]; nothing if no client reports. */
  function show(place, pools) {
    const now = Date.now();
    const clients = new Map();
    pools.forEach(({ pool, policy, reports }) =>
      reports.forEach((report) => {
        const rows = clients.get(report.client) ?? [];
        rows.push({ pool, policy, report });
        clients.set(report.client, rows);
      }),
    );
    const parts = [];
    clients.forEach((rows, client) => {
      remember(client, rows, now);
      const baseline = baselineOf(rows);
      parts.push(
        element('h2', rows.length > 1 ? 'Pools compared' : 'Measured by a client'),
        headline(rows, baseline),
        table(rows, baseline),
        chart(client, rows, now),
        note(client, rows),
      );
    });
    place.hidden = parts.length === 0;
    place.replaceChildren(...parts);
  }

  return { show };
})();
