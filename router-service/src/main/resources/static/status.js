'use strict';

// Shows what the router serves. Everything that comes from the API enters the page as text, never as markup.

const state = document.getElementById('state');
const pools = document.getElementById('pools');
const compared = document.getElementById('comparison');
const ask = document.getElementById('ask');

function token() {
  return new URLSearchParams(location.hash.slice(1)).get('token');
}

async function read(path) {
  const response = await fetch(path, {
    headers: { Authorization: 'Bearer ' + token() },
    cache: 'no-store',
  });
  if (!response.ok) {
    const refusal = new Error('The router answered ' + response.status);
    refusal.status = response.status;
    throw refusal;
  }
  return response.json();
}

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) {
    made.textContent = text;
  }
  if (className) {
    made.className = className;
  }
  return made;
}

function fact(name, value) {
  const made = element('span', name + ' ');
  made.append(element('b', value));
  return made;
}

function row(decoder, most) {
  const made = element('tr');
  made.append(element('td', decoder.id));
  made.append(element('td', decoder.state, decoder.state === 'READY' ? '' : 'not-ready'));
  const cluster = decoder.cluster === undefined ? '–' : decoder.cluster + (decoder.borrowed ? ' (borrowed)' : '');
  made.append(element('td', cluster, 'number optional'));
  made.append(element('td', decoder.inFlight, 'number'));
  const load = element('td', undefined, 'meter');
  const bar = element('meter');
  bar.max = most;
  bar.value = decoder.load;
  bar.title = 'load ' + decoder.load.toFixed(1);
  bar.setAttribute('aria-label', 'Load of ' + decoder.id);
  load.append(bar);
  made.append(load);
  made.append(element('td', Math.round(100 * decoder.recentShare) + ' %', 'number'));
  return made;
}

function table(decoders) {
  const made = element('table');
  const head = element('tr');
  head.append(element('th', 'Decoder'), element('th', 'State'), element('th', 'Cluster', 'number optional'));
  head.append(element('th', 'In flight', 'number'), element('th', 'Load'), element('th', 'Recent share', 'number'));
  made.append(head);
  const most = Math.max(1, ...decoders.map((decoder) => decoder.load));
  decoders.forEach((decoder) => made.append(row(decoder, most)));
  const scroll = element('div', undefined, 'scroll');
  scroll.append(made);
  return scroll;
}

function card(pool, detail, artifact) {
  const made = element('section', undefined, 'card');
  made.append(element('h2', pool.name));
  const facts = element('div', undefined, 'facts');
  facts.append(
    fact('model', pool.model),
    fact('policy', detail.policy),
    fact('tau', String(Number(detail.tau.toFixed(4)))),
    fact('artifact version', detail.artifactVersion ?? 'none'),
    fact('generation', detail.generation),
    fact('source', artifact.source),
  );
  made.append(facts);
  if (artifact.nack) {
    made.append(element('p', 'Generation ' + artifact.nack.generation + ' was refused: ' + artifact.nack.reason, 'warning'));
  } else if (detail.degraded) {
    made.append(element('p', 'No artifact serves: requests go to the least loaded decoder.', 'warning'));
  }
  if (detail.decoders.length === 0) {
    made.append(element('p', 'This pool has no decoders. Register one with the calibration service.'));
  } else {
    made.append(table(detail.decoders));
  }
  return made;
}

async function show() {
  if (!token()) {
    ask.hidden = false;
    compared.hidden = true;
    pools.replaceChildren();
    state.textContent = 'Waiting for a token';
    return;
  }
  try {
    const list = (await read('v1/pools')).pools;
    const answers = await Promise.all(
      list.map(async (pool) => {
        const path = 'v1/pools/' + encodeURIComponent(pool.name);
        const [detail, artifact, reports] = await Promise.all(
          ['/decoders', '/artifact', '/clients'].map((part) => read(path + part)),
        );
        return { pool, detail, artifact, reports: reports.clients };
      }),
    );
    const cards = answers.map(({ pool, detail, artifact }) => card(pool, detail, artifact));
    comparison.show(
      compared,
      answers.map(({ pool, detail, reports }) => ({ pool: pool.name, policy: detail.policy, reports })),
    );
    ask.hidden = true;
    if (cards.length === 0) {
      cards.push(element('p', 'There are no pools. Create one with the calibration service.', 'card'));
    }
    pools.replaceChildren(...cards);
    state.textContent = 'Up to date, ' + new Date().toLocaleTimeString();
  } catch (fault) {
    if (fault.status === 401 || fault.status === 403) {
      ask.hidden = false;
      compared.hidden = true;
      pools.replaceChildren();
      state.textContent = fault.status === 401 ? 'The token is not known here' : 'The token may not read';
    } else {
      state.textContent = 'No answer, trying again';
    }
  }
}

async function loop() {
  if (!document.hidden) {
    await show();
  }
  setTimeout(loop, 1000);
}

ask.addEventListener('submit', (event) => {
  event.preventDefault();
  location.hash = new URLSearchParams({ token: document.getElementById('token').value.trim() }).toString();
  document.getElementById('token').value = '';
  show();
});
window.addEventListener('hashchange', show);
loop();
