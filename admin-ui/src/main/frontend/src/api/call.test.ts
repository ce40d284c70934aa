import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { calibration, curl, passage, path } from './call';

describe('a call of the REST interface', () => {
  it('is shown with the variables that the documentation uses', () => {
    expect(curl(calibration('GET', '/v1/pools'))).toBe('curl -H "Authorization: Bearer $TOKEN" "$CALIBRATION/v1/pools"');
  });

  it('carries its body as JSON', () => {
    expect(curl(calibration('POST', '/v1/pools/demo/rollback', { version: 3 }))).toBe(
      'curl -X POST -H "Authorization: Bearer $TOKEN" -H \'Content-Type: application/json\' \\\n' +
        '  -d \'{"version":3}\' "$CALIBRATION/v1/pools/demo/rollback"',
    );
  });

  it('gives a shell the body to the byte, whatever is in it', () => {
    const body = { reason: `it's "$HOME" \`id\` $(id) \\ ; # ü\n`, slot: "'; rm -rf /; '" };
    const script = curl(calibration('POST', '/x', body)).replace(/^curl /, "printf '%s\\0' ");
    const words = execFileSync('sh', ['-c', script], { env: { TOKEN: 't', CALIBRATION: 'http://c' } })
      .toString()
      .split('\0');
    expect(JSON.parse(words[words.indexOf('-d') + 1] ?? '')).toEqual(body);
    expect(words).toContain('Authorization: Bearer t');
    expect(words).toContain('http://c/x');
  });

  it('escapes names in paths', () => {
    expect(path`/v1/pools/${'a/b ?'}/workers/${'<x>'}`).toBe('/v1/pools/a%2Fb%20%3F/workers/%3Cx%3E');
    expect(path`/v1/refits/${7}`).toBe('/v1/refits/7');
    expect(path`/v1/pools`).toBe('/v1/pools');
  });

  it('goes through the back end to its service', () => {
    expect(passage(calibration('GET', '/v1/pools'))).toBe('api/calibration/v1/pools');
    expect(passage({ service: { name: 'router', instance: 'r 1' }, method: 'GET', path: '/v1/pools' })).toBe('api/routers/r%201/v1/pools');
  });
});
