// A cluster that is not there: two pools on the same traffic, one by expert locality, one by load alone. Its figures move
// plausibly and mean nothing; it is for working on the pages without the services.
import { random } from './random.mjs';

const LAYERS = 48;
const EXPERTS = 128;
export const MODEL = 'Qwen/Qwen3-30B-A3B';
export const LABELS = ['math', 'code', 'law', 'medicine', 'chat-de', 'chat-fr', 'translation', '<img src=x onerror=alert(1)>'];
const HISTORY_SECONDS = 900;

export class World {
  constructor({ decoders = 8, clock = Date.now } = {}) {
    this.clock = clock;
    this.random = random(7);
    this.sequence = 0;
    this.away = new Set();
    this.routers = [
      { instance: 'router-5f6c-0', url: 'http://10.0.3.11:8080' },
      { instance: 'router-5f6c-1', url: 'http://10.0.3.12:8080' },
    ];
    this.pools = [this.#pool('demo', 'eldr', decoders, 0), this.#pool('demo-jsq', 'jsq', decoders, 0.16)];
    this.history = new Map(this.pools.map((pool) => [pool.name, emptyHistory(pool.name)]));
    const now = Math.floor(clock() / 1000);
    for (let second = now - HISTORY_SECONDS; second < now; second++) {
      this.tick(second);
    }
  }

  #pool(name, policy, count, penalty) {
    const width = String(count - 1).length;
    const decoders = Array.from({ length: count }, (_, i) => ({
      id: `decode-${String(i).padStart(width, '0')}`,
      url: `http://10.0.7.${(i % 250) + 1}:8000`,
      state: 'READY',
      drained: false,
      weight: 1,
      load: 18,
      bias: this.random.between(0.85, 1.18),
      share: 1 / count,
    }));
    if (count >= 100) {
      decoders[17].state = 'EJECTED';
      decoders[42].state = 'PENDING';
    }
    const prefillers = [0, 1].map((i) => ({ id: `prefill-${i}`, url: `http://10.0.6.${i + 1}:8000`, state: 'READY' }));
    return { name, policy, penalty, decoders, prefillers, tau: 0.044, generation: 12, version: 7, minCandidates: 2 };
  }

  pool(name) {
    return this.pools.find((pool) => pool.name === name);
  }

  tick(second) {
    const wave = 1 + 0.22 * Math.sin(second / 170) + 0.08 * Math.sin(second / 23);
    for (const pool of this.pools) {
      const n = pool.decoders.length;
      for (const decoder of pool.decoders) {
        const open = decoder.state === 'READY';
        const aim = open ? 18 * wave * (pool.policy === 'jsq' ? 1 : decoder.bias) : 0;
        decoder.load += (aim - decoder.load) * 0.18 + (open ? this.random.normal() * 0.9 : 0);
        decoder.load = Math.max(0, decoder.load);
        decoder.share += ((open ? decoder.bias : 0) / n - decoder.share) * 0.05;
        decoder.experts = 88 * (1 + pool.penalty * 1.2) + decoder.load * 0.45 + this.random.normal() * 1.2 - 10;
        decoder.tpot = 6.5 + decoder.experts * 0.185 + decoder.load * 0.06 + this.random.normal() * 0.25;
        if (decoder.drained && decoder.state === 'DRAINING' && decoder.load < 0.5) {
          decoder.load = 0;
        }
      }
      const ready = pool.decoders.filter((decoder) => decoder.state === 'READY');
      const mean = (of) => (ready.length === 0 ? undefined : ready.reduce((sum, decoder) => sum + of(decoder), 0) / ready.length);
      pool.p50 = mean((decoder) => decoder.tpot);
      pool.p99 = pool.p50 === undefined ? undefined : pool.p50 * (1.42 - (pool.penalty > 0 ? 0.05 : 0)) + this.random.normal() * 0.6;
      pool.experts = mean((decoder) => decoder.experts);
      pool.rate = 61 * wave + this.random.normal() * 2;
      pool.spill = pool.policy === 'jsq' ? undefined : Math.max(0, 0.11 + 0.03 * Math.sin(second / 60) + this.random.normal() * 0.006);
      push(this.history.get(pool.name), second, pool);
    }
  }

  live() {
    this.sequence++;
    const at = new Date(this.clock()).toISOString();
    return {
      sequence: this.sequence,
      at,
      intervalSeconds: 1,
      calibration: this.away.has('calibration')
        ? { stale: true, since: new Date(this.clock() - 42_000).toISOString(), detail: 'Connection refused: 127.0.0.1:8081' }
        : { stale: false, since: at },
      routers: this.routers.map(({ instance, url }, i) => ({
        instance,
        url,
        health: this.away.has(instance)
          ? { stale: true, since: new Date(this.clock() - 25_000).toISOString(), detail: 'It did not answer within 2 s.' }
          : { stale: false, since: at },
        startedAt: new Date(this.clock() - 5.5e7 - i * 1e6).toISOString(),
        lastHeartbeat: at,
        pools: this.pools.map((pool) => ({
          pool: pool.name,
          generation: i === 1 && pool.name === 'demo' ? pool.generation - 1 : pool.generation,
          artifactVersion: i === 1 && pool.name === 'demo' ? pool.version - 1 : pool.version,
          policy: pool.policy,
          behind: i === 1 && pool.name === 'demo',
          ...(i === 1 && pool.name === 'demo'
            ? { nack: { generation: pool.generation, reason: 'revision: the artifact is of revision 4f2a, the pool of 9c1d' } }
            : {}),
        })),
      })),
      pools: this.pools.map((pool) => this.#poolState(pool, at)),
    };
  }

  #poolState(pool, at) {
    return {
      name: pool.name,
      health: this.away.has(pool.name) ? { stale: true, since: new Date(this.clock() - 31_000).toISOString() } : { stale: false, since: at },
      model: MODEL,
      layers: LAYERS,
      experts: EXPERTS,
      topK: 8,
      policy: pool.policy,
      tau: pool.tau,
      minCandidates: pool.minCandidates,
      generation: pool.generation,
      artifactVersion: pool.version,
      degraded: false,
      readyDecoders: pool.decoders.filter((decoder) => decoder.state === 'READY').length,
      recentDecisions: 1000,
      reasons: pool.policy === 'jsq' ? { jsq: 1000 } : { nearest: 640, band: 250, 'min-candidates': 98, 'no-signature': 12 },
      ...(pool.spill === undefined ? {} : { spillRate: pool.spill, outOfBandRate: pool.spill * 0.3 }),
      decisionsPerSecond: pool.rate,
      tpotMs: pool.p50,
      tpotP50Ms: pool.p50,
      tpotP99Ms: pool.p99,
      activeExperts: pool.experts,
      decoders: pool.decoders.map((decoder, i) => ({
        id: decoder.id,
        url: decoder.url,
        state: decoder.state,
        readyOn: decoder.state === 'READY' ? 2 : 0,
        cluster: i,
        borrowed: false,
        weight: decoder.weight,
        inFlight: Math.round(decoder.load),
        load: decoder.load,
        running: Math.round(decoder.load),
        waiting: decoder.load > 24 ? 2 : 0,
        kvUse: Math.min(0.97, decoder.load / 32),
        share: decoder.share,
        ...(decoder.load > 0.5 ? { tpotMs: decoder.tpot, activeExperts: decoder.experts } : {}),
      })),
      prefillers: pool.prefillers.map((prefiller, i) => {
        const differ = i === 1 && prefiller.state === 'READY';
        return {
          id: prefiller.id,
          url: prefiller.url,
          state: differ ? 'EJECTED' : prefiller.state,
          readyOn: prefiller.state === 'READY' ? (differ ? 1 : 2) : 0,
          ...(differ ? { byRouter: { [this.routers[0].instance]: 'READY', [this.routers[1].instance]: 'EJECTED' } } : {}),
          inFlight: prefiller.state === 'READY' ? 2 : 0,
        };
      }),
    };
  }

  overview() {
    return { live: this.live(), series: [...this.history.values()], comparison: { pool: 'demo', against: 'demo-jsq' } };
  }
}

function emptyHistory(pool) {
  return { pool, at: [], tpotP50Ms: [], tpotP99Ms: [], activeExperts: [], decisionsPerSecond: [], spillRate: [] };
}

function push(history, second, pool) {
  history.at.push(second);
  history.tpotP50Ms.push(pool.p50 ?? null);
  history.tpotP99Ms.push(pool.p99 ?? null);
  history.activeExperts.push(pool.experts ?? null);
  history.decisionsPerSecond.push(pool.rate);
  history.spillRate.push(pool.spill ?? null);
  if (history.at.length > HISTORY_SECONDS) {
    Object.values(history).filter(Array.isArray).forEach((column) => column.shift());
  }
}
