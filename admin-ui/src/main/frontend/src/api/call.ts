/**
 * One call of the REST interface, as a value: the same object is shown to the operator, copied as curl, and made.
 *
 * `path` is the service's own, such as `/v1/pools/demo/rollback`; the back end passes it on from `api/calibration` or
 * `api/routers/{instance}`.
 */
export interface RestCall {
  readonly service: Service;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

export type Service = { readonly name: 'calibration' } | { readonly name: 'router'; readonly instance: string };

const CALIBRATION: Service = { name: 'calibration' };

/** A call of the calibration service. Parts of the path are escaped: `path\`/v1/pools/${pool}\``. */
export function calibration(method: RestCall['method'], at: string, body?: unknown): RestCall {
  return body === undefined ? { service: CALIBRATION, method, path: at } : { service: CALIBRATION, method, path: at, body };
}

/** Joins a path whose values may hold anything. */
export function path(parts: TemplateStringsArray, ...values: (string | number)[]): string {
  return parts.reduce((whole, part, i) => whole + encodeURIComponent(String(values[i - 1])) + part);
}

/** Where the back end takes this call, relative to the page's base. */
export function passage(call: RestCall): string {
  return call.service.name === 'calibration'
    ? `api/calibration${call.path}`
    : `api/routers/${encodeURIComponent(call.service.instance)}${call.path}`;
}

/** The call as a shell takes it, with the variables that ELDR's documentation uses. */
export function curl(call: RestCall): string {
  const address = call.service.name === 'calibration' ? '$CALIBRATION' : '$ROUTER';
  const words = ['curl'];
  if (call.method !== 'GET') {
    words.push('-X', call.method);
  }
  words.push('-H', '"Authorization: Bearer $TOKEN"');
  if (call.body !== undefined) {
    words.push('-H', "'Content-Type: application/json'", '\\\n  -d', quoted(JSON.stringify(call.body)));
  }
  words.push(`"${address}${escapedInDoubleQuotes(call.path)}"`);
  return words.join(' ');
}

/** In single quotes a shell expands nothing; a single quote itself ends them, is escaped, and opens them again. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function escapedInDoubleQuotes(text: string): string {
  return text.replace(/[\\"$`]/g, String.raw`\$&`);
}
