// The back end's interface without a back end, for working on the pages:
//   npm run mock -- [--port 28001] [--base /some/path] [--decoders 8]
// It serves dist/ as well, with the content security policy of the real one. Users: viewer, operator, admin, each with its
// own name as the password. POST /mock/away?part=calibration|router-..|demo takes a part away, DELETE brings it back,
// POST /mock/expire ends all sessions.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Registry } from './registry.mjs';
import { World } from './world.mjs';

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '28001' },
    base: { type: 'string', default: '' },
    decoders: { type: 'string', default: '8' },
  },
});
const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const world = new World({ decoders: Number(options.decoders) });
const registry = new Registry(world);
const sessions = new Map();
const streams = new Set();

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self';" +
  " manifest-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2', '.json': 'application/json' };

setInterval(() => {
  world.tick(Math.floor(Date.now() / 1000));
  const event = `event: state\ndata: ${JSON.stringify(world.live())}\n\n`;
  streams.forEach((response) => response.write(event));
}, 1000);

createServer(async (request, response) => {
  const url = new URL(request.url, 'http://mock');
  if (url.pathname.startsWith('/mock/')) {
    return mock(request, url, response);
  }
  if (!url.pathname.startsWith(`${options.base}/`)) {
    return answer(response, 404, problem(404, 'Not found', 'It is elsewhere.'));
  }
  const path = url.pathname.slice(options.base.length);
  try {
    await (path.startsWith('/api/') ? api(request, response, path, url.searchParams) : page(response, path));
  } catch (failure) {
    console.error(failure);
    answer(response, 500, problem(500, 'The mock failed', String(failure)));
  }
}).listen(Number(options.port), '127.0.0.1', () => console.log(`http://127.0.0.1:${options.port}${options.base}/`));

function mock(request, url, response) {
  if (url.pathname === '/mock/expire') {
    sessions.clear();
    streams.forEach((stream) => stream.end());
  } else {
    const part = url.searchParams.get('part');
    request.method === 'DELETE' ? world.away.delete(part) : world.away.add(part);
  }
  answer(response, 204);
}

async function api(request, response, path, query) {
  const id = /ELDR_SESSION=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
  const user = sessions.get(id);
  const body = await json(request);
  if (request.method !== 'GET' && request.headers['x-xsrf-token'] !== 'mock-token') {
    return answer(response, 403, problem(403, 'Forbidden', 'The call lacks the CSRF token of your session.'));
  }
  if (path === '/api/session') {
    return session(request, response, user, id, body);
  }
  if (user === undefined) {
    return answer(response, 401, problem(401, 'Nobody is logged in', 'Log in first.'));
  }
  if (path === '/api/stream') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
    response.write(`event: state\ndata: ${JSON.stringify(world.live())}\n\n`);
    streams.add(response);
    request.on('close', () => streams.delete(response));
    return undefined;
  }
  if (path === '/api/overview') {
    return answer(response, 200, world.overview());
  }
  if (path.startsWith('/api/calibration') && world.away.has('calibration')) {
    return answer(response, 503, problem(503, 'The service cannot do this now', 'The calibration service does not answer.'));
  }
  const call = { method: request.method, path: decodeURI(path), query, body, user, request, response };
  const result = await registry.handle(call);
  return result === undefined ? undefined : answer(response, result.status, result.body);
}

function session(request, response, user, id, body) {
  const view = (who) => ({
    authenticated: who !== undefined,
    ...(who === undefined ? {} : { user: who.name, role: who.role, expiresAt: new Date(Date.now() + 2.8e7).toISOString() }),
    csrf: { header: 'X-XSRF-TOKEN', token: 'mock-token' },
    passwordLogin: true,
    providers: [{ name: 'Keycloak', url: 'oauth2/authorization/keycloak' }],
  });
  if (request.method === 'POST') {
    if (!['viewer', 'operator', 'admin'].includes(body.username) || body.password !== body.username) {
      return answer(response, 401, problem(401, 'Unauthorized', 'The user name or the password is wrong.'));
    }
    const fresh = randomUUID();
    sessions.set(fresh, { name: body.username, role: body.username });
    response.setHeader('Set-Cookie', `ELDR_SESSION=${fresh}; HttpOnly; SameSite=Lax; Path=/`);
    return answer(response, 200, view(sessions.get(fresh)));
  }
  if (request.method === 'DELETE') {
    sessions.delete(id);
    return answer(response, 204);
  }
  return answer(response, 200, view(user));
}

async function page(response, path) {
  const file = normalize(join(dist, path));
  const isFile = file.startsWith(dist) && extname(file) !== '' && !path.startsWith('/pools/');
  if (!isFile) {
    const index = (await readFile(join(dist, 'index.html'), 'utf8')).replace('<base href="/">', `<base href="${options.base}/">`);
    response.writeHead(200, { 'Content-Type': TYPES['.html'], 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store' });
    return response.end(index);
  }
  try {
    const content = await readFile(file);
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream', 'Content-Security-Policy': POLICY });
    return response.end(content);
  } catch {
    return answer(response, 404, problem(404, 'Not found', 'There is no such file.'));
  }
}

async function json(request) {
  const chunks = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

export function problem(status, title, detail, field) {
  return { type: 'https://eldr.io/problems/mock', title, status, detail, ...(field === undefined ? {} : { field }) };
}

function answer(response, status, body) {
  response.writeHead(status, { 'Content-Type': status >= 400 ? 'application/problem+json' : 'application/json' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
