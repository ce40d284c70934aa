// The calibration service's and the routers' interfaces, as far as the pages ask. What is changed here stays changed until
// the mock ends; the figures are made up.
import { clusterExperts, clusters, poolMap } from './clusters.mjs';
import { random } from './random.mjs';
import { LABELS, MODEL } from './world.mjs';

const HOUR = 3_600_000;
const OPERATOR = ['operator', 'admin'];

export class Registry {
  constructor(world) {
    this.world = world;
    this.random = random(11);
    this.audit = [];
    this.pools = new Map(world.pools.map((pool) => [pool.name, this.#fill(pool)]));
  }

  #ago(hours) {
    return new Date(this.world.clock() - hours * HOUR).toISOString();
  }

  #fill(live) {
    const slots = live.decoders.map((decoder) => decoder.id);
    const artifacts = Array.from({ length: 7 }, (_, i) => this.#artifact(live.name, i + 1, slots));
    const activations = [1, 2, 3, 2, 4, 5, 4, 5, 6, 6, 6, 7].map((version, i) => ({
      pool: live.name,
      generation: i + 1,
      version,
      kind: i === 3 || i === 6 ? 'rollback' : 'activate',
      activatedAt: this.#ago((12 - i) * 9 + 1),
      actor: i % 3 === 0 ? 'grace' : i % 3 === 1 ? 'schedule' : 'ada',
      ...(i % 3 === 1 ? {} : { actingThrough: 'admin-ui' }),
      ...(i === 3 ? { reason: 'P99 went up after the new mask' } : {}),
    }));
    const states = ['SUCCEEDED', 'REJECTED', 'SUCCEEDED', 'CANCELLED', 'SUCCEEDED', 'FAILED', 'SUCCEEDED', 'SUCCEEDED'];
    const refits = states.map((state, i) => this.#refit(live.name, 101 + i, state, i)).reverse();
    activations.forEach((activation) => this.#note(live.name, activation.actor, `artifact.${activation.kind}`, `v${activation.version}`, null, activation, activation.activatedAt));
    this.#note(live.name, 'ada', 'pool.change', live.name, { tau: 'auto', policy: 'eldr' }, { tau: 0.044, policy: 'eldr' }, this.#ago(5));
    this.#note(live.name, '<b>mallory</b>', 'worker.drain', slots[2], { desiredState: 'serving' }, { desiredState: 'draining' }, this.#ago(3));
    return {
      view: {
        name: live.name,
        model: MODEL,
        layers: 48,
        experts: 128,
        topK: 8,
        policy: live.policy,
        tau: 'auto',
        mode: 'automatic',
        pinned: false,
        aliases: [],
        minCandidates: 2,
        schedule: { onDrift: true, onTopology: true, cron: '0 0 3 * * *', zone: 'UTC', nextCron: this.#ago(-7) },
        sampling: { rate: 0.02 },
        createdAt: this.#ago(400),
        updatedAt: this.#ago(5),
      },
      artifacts,
      activations,
      refits,
      evaluations: [],
      workers: slots
        .map((slot, i) => ({ slot, role: 'decode', url: live.decoders[i].url, desiredState: 'serving', source: 'registered', weight: 1, probe: 'http', maxInFlight: 64, createdAt: this.#ago(300), updatedAt: this.#ago(300) }))
        .concat([0, 1].map((i) => ({ slot: `prefill-${i}`, role: 'prefill', url: `http://10.0.6.${i + 1}:8000`, desiredState: 'serving', source: 'registered', weight: 1, probe: 'http', createdAt: this.#ago(300), updatedAt: this.#ago(300) }))),
    };
  }

  #artifact(pool, version, slots) {
    const counts = version % 3 !== 2;
    return {
      pool,
      version,
      active: version === 7,
      sha256: Array.from({ length: 64 }, () => this.random.integer(16).toString(16)).join(''),
      sizeBytes: 812_344 + version * 1731,
      model: MODEL,
      revision: '9c1d',
      layers: 48,
      experts: 128,
      topK: 8,
      representation: counts ? 'count' : 'count_idf',
      mask: counts ? [3, 7, 12, 19, 24, 31, 38] : [2, 7, 12, 21, 22, 30, 31, 38, 44],
      slots,
      recommendedTau: counts ? 0.044 - version * 0.001 : 0.101,
      uncalibrated: version === 1,
      ...(version === 3 ? {} : { refit: 100 + version }),
      createdAt: this.#ago((8 - version) * 14 + 1),
      createdBy: version === 3 ? 'ada' : 'schedule',
      report: report(this.random, slots.length, version),
    };
  }

  #refit(pool, id, state, i) {
    const reason = { REJECTED: 'Its batches load more experts: 91.4 against 88.2 per layer at batch 32 (difference 2.1 to 4.3).', FAILED: 'The samples have 47 layers, the pool 48.', CANCELLED: 'ada cancelled it.' }[state];
    return {
      id,
      pool,
      state,
      stage: state === 'SUCCEEDED' ? undefined : 'mask',
      progress: state === 'SUCCEEDED' ? 1 : 0.42,
      trigger: ['manual', 'cron', 'drift', 'topology'][i % 4],
      why: i % 4 === 2 ? 'Three windows in a row had other content (KS 0.21 over 0.08).' : undefined,
      force: false,
      options: i % 4 === 0 ? { holdOut: 0.2 } : {},
      requestedBy: i % 4 === 0 ? 'grace' : 'schedule',
      attempts: 1,
      createdAt: this.#ago((9 - i) * 12),
      startedAt: this.#ago((9 - i) * 12 - 0.001),
      finishedAt: this.#ago((9 - i) * 12 - 0.012),
      version: state === 'SUCCEEDED' ? Math.min(7, i + 1) : undefined,
      proposed: i === 7,
      reason,
      report: state === 'SUCCEEDED' || state === 'REJECTED' ? report(this.random, this.world.pools[0].decoders.length, i, state === 'SUCCEEDED') : undefined,
    };
  }

  #note(pool, actor, action, subject, before, after, at = new Date(this.world.clock()).toISOString()) {
    this.audit.push({ id: this.audit.length + 1, at, actor, actingThrough: 'admin-ui', action, pool, subject, ...(before ? { before } : {}), ...(after ? { after } : {}) });
  }

  async handle(call) {
    const service = /^\/api\/(calibration|routers\/[^/]+|decisions|pools)(\/.*)?$/.exec(call.path);
    if (service === null) {
      return missing(call.path);
    }
    const [, of, path = ''] = service;
    if (of === 'decisions') {
      return { status: 200, body: this.#decision(call.query.get('requestId')) };
    }
    if (of === 'pools') {
      return this.#cluster(path);
    }
    if (of.startsWith('routers')) {
      return path.startsWith('/v1/decisions/') ? { status: 200, body: this.#decision(path.split('/').at(-1)) } : missing(path);
    }
    if (path === '/v1/pools') {
      return ok([...this.pools.values()].map((pool) => pool.view));
    }
    if (path === '/v1/audit') {
      const pool = call.query.get('pool');
      const rows = this.audit.filter((row) => pool === null || row.pool === pool).sort((a, b) => b.at.localeCompare(a.at));
      return ok(rows.slice(0, Number(call.query.get('limit') ?? 50)));
    }
    const [, name, rest] = /^\/v1\/pools\/([^/]+)(.*)$/.exec(path) ?? [];
    const pool = this.pools.get(name);
    return pool === undefined ? missing(path) : this.#ofPool(pool, name, rest, call);
  }

  #cluster(path) {
    const [, name, what] = path.split('/');
    const live = this.world.pool(name);
    if (live === undefined) {
      return missing(path);
    }
    return ok(what === 'map' ? poolMap(live, this.world) : clusters(live, live.version));
  }

  #ofPool(pool, name, rest, call) {
    const { method, body, user } = call;
    if (method !== 'GET' && !(method === 'PATCH' || method === 'DELETE' ? ['admin'] : OPERATOR).includes(user.role)) {
      return refuse(403, 'Forbidden', 'The role of this token is not enough for this call.');
    }
    const [, what, key, action] = rest.split('/');
    switch (`${method} ${what ?? ''}`) {
      case 'GET ':
        return ok(pool.view);
      case 'PATCH ':
        this.#note(name, user.name, 'pool.change', name, pool.view, { ...pool.view, ...body });
        Object.assign(pool.view, body);
        return ok(pool.view);
      case 'GET artifacts':
        if (action === 'clusters') {
          const cluster = rest.split('/')[4];
          return ok(cluster === undefined ? clusters(this.world.pool(name), Number(key)) : clusterExperts(this.world.pool(name), Number(key), Number(cluster)));
        }
        return key === undefined ? ok([...pool.artifacts].reverse().map(({ report: _, ...brief }) => brief)) : found(pool.artifacts.find((artifact) => artifact.version === Number(key)));
      case 'GET activations': {
        const at = call.query.get('at');
        const rows = [...pool.activations].reverse();
        return ok(at === null ? rows : rows.filter((row) => row.activatedAt <= at).slice(0, 1));
      }
      case 'POST activations':
      case 'POST rollback':
        return this.#activate(pool, name, what, body ?? {}, user);
      case 'GET refits':
        if (action === 'events') {
          return this.#events(pool.refits, Number(key), 'refit', call);
        }
        return key === undefined ? ok(pool.refits.map(({ report: _, ...brief }) => brief)) : found(pool.refits.find((refit) => refit.id === Number(key)));
      case 'POST refits':
        return key === undefined ? this.#startRefit(pool, name, body ?? {}, user) : this.#decide(pool, name, Number(key), action, user);
      case 'GET evaluations':
        if (action === 'events') {
          return this.#events(pool.evaluations, Number(key), 'evaluation', call);
        }
        return key === undefined ? ok(pool.evaluations.map(({ report: _, ...brief }) => brief)) : found(pool.evaluations.find((evaluation) => evaluation.id === Number(key)));
      case 'POST evaluations':
        return key === undefined ? this.#evaluate(pool, name, body ?? {}, user) : this.#cancelEvaluation(pool, Number(key), user);
      case 'GET samples':
        return ok({ count: 18_342, withDecode: 17_903, newest: this.#ago(0.01), labels: Object.fromEntries(LABELS.map((label, i) => [label, 4000 - i * 480])) });
      case 'GET drift':
        return ok(drift(pool, this.random, this.world.clock()));
      case 'GET workers':
        return ok(pool.workers);
      case 'PUT workers':
        return this.#declare(pool, name, key, body, user);
      case 'POST workers':
        return this.#drain(pool, name, key, action, user);
      case 'DELETE workers':
        pool.workers = pool.workers.filter((worker) => worker.slot !== key);
        this.#note(name, user.name, 'worker.remove', key, { slot: key }, null);
        return { status: 204 };
      default:
        return missing(rest);
    }
  }

  #activate(pool, name, what, body, user) {
    const current = pool.activations.at(-1);
    if (body.expectedGeneration !== undefined && body.expectedGeneration !== current.generation) {
      return refuse(409, 'The change conflicts with the present state', `The pool is at generation ${current.generation}, not ${body.expectedGeneration}: ${current.actor} activated version ${current.version} at ${current.activatedAt}.`);
    }
    const version = body.version ?? pool.activations.at(-2).version;
    const activation = { pool: name, generation: current.generation + 1, version, kind: what === 'rollback' ? 'rollback' : 'activate', activatedAt: new Date(this.world.clock()).toISOString(), actor: user.name, actingThrough: 'admin-ui', ...(body.reason ? { reason: body.reason } : {}) };
    pool.activations.push(activation);
    pool.artifacts.forEach((artifact) => (artifact.active = artifact.version === version));
    Object.assign(this.world.pool(name), { version, generation: activation.generation });
    this.#note(name, user.name, `artifact.${activation.kind}`, `v${version}`, current, activation);
    return { status: 201, body: activation };
  }

  #startRefit(pool, name, options, user) {
    const refit = { id: Math.max(...pool.refits.map((other) => other.id)) + 1, pool: name, state: 'RUNNING', stage: 'read', progress: 0, trigger: 'manual', force: options.force ?? false, options, requestedBy: user.name, attempts: 1, createdAt: new Date().toISOString(), startedAt: new Date().toISOString(), proposed: false };
    pool.refits.unshift(refit);
    this.#note(name, user.name, 'refit.request', String(refit.id), null, refit);
    const stages = [[0.05, 'split'], [0.07, 'mask'], [0.7, 'cluster'], [0.93, 'measure'], [0.97, 'gate']];
    const timer = setInterval(() => {
      if (refit.state !== 'RUNNING') {
        return clearInterval(timer);
      }
      refit.progress = Math.min(1, refit.progress + 0.02);
      refit.stage = stages.findLast(([from]) => refit.progress >= from)?.[1] ?? 'read';
      if (refit.progress >= 1) {
        const version = pool.artifacts.length + 1;
        const made = this.#artifact(name, version, pool.artifacts[0].slots);
        pool.artifacts.push({ ...made, active: false });
        Object.assign(refit, { state: 'SUCCEEDED', version, stage: undefined, finishedAt: new Date().toISOString(), proposed: true, report: report(this.random, 8, version, true) });
      }
    }, 300);
    return { status: 202, body: refit };
  }

  #decide(pool, name, id, action, user) {
    const refit = pool.refits.find((other) => other.id === id);
    if (refit === undefined) {
      return missing(String(id));
    }
    if (action === 'cancel') {
      if (refit.state !== 'RUNNING') {
        return refuse(409, 'The change conflicts with the present state', `Refit ${id} is over already: ${refit.state}.`);
      }
      Object.assign(refit, { state: 'CANCELLED', reason: `${user.name} cancelled it.`, finishedAt: new Date().toISOString() });
    } else {
      refit.proposed = false;
      if (action === 'approve') {
        this.#activate(pool, name, 'activations', { version: refit.version }, user);
      }
    }
    this.#note(name, user.name, `refit.${action}`, String(id), null, { state: refit.state });
    return ok(refit);
  }

  #events(jobs, id, event, { request, response }) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
    const timer = setInterval(() => {
      const job = jobs.find((other) => other.id === id);
      response.write(`event: ${event}\ndata: ${JSON.stringify(job)}\n\n`);
      if (job.state !== 'RUNNING' && job.state !== 'QUEUED') {
        clearInterval(timer);
        response.end();
      }
    }, 250);
    request.on('close', () => clearInterval(timer));
    return undefined;
  }

  #evaluate(pool, name, asked, user) {
    const options = { version: 7, policies: ['eldr', 'random', 'round-robin', 'jsq', 'p2c', 'domain'], tau: ['auto'], decoders: [8], rates: [20], arrivals: 'poisson', mix: 'recorded', requests: 10_000, seeds: 3, ...asked };
    const evaluation = { id: pool.evaluations.length + 1, pool: name, state: 'RUNNING', stage: 'read', progress: 0, options, requestedBy: user.name, attempts: 1, createdAt: new Date().toISOString(), startedAt: new Date().toISOString() };
    pool.evaluations.unshift(evaluation);
    const timer = setInterval(() => {
      if (evaluation.state !== 'RUNNING') {
        return clearInterval(timer);
      }
      evaluation.progress = Math.min(1, evaluation.progress + 0.04);
      evaluation.stage = evaluation.progress < 0.2 ? 'read' : 'simulate';
      if (evaluation.progress >= 1) {
        Object.assign(evaluation, { state: 'SUCCEEDED', finishedAt: new Date().toISOString(), report: study(options) });
      }
    }, 150);
    return { status: 202, body: evaluation };
  }

  #cancelEvaluation(pool, id, user) {
    const evaluation = pool.evaluations.find((other) => other.id === id);
    Object.assign(evaluation, { state: 'CANCELLED', reason: `${user.name} cancelled it.`, finishedAt: new Date().toISOString() });
    return ok(evaluation);
  }

  #declare(pool, name, slot, body, user) {
    if (!/^https?:/.test(body.url ?? '')) {
      return refuse(400, 'The request is not valid', 'url: must be an http or https address', 'url');
    }
    const before = pool.workers.find((worker) => worker.slot === slot);
    const worker = { slot, desiredState: before?.desiredState ?? 'serving', source: 'registered', weight: 1, probe: 'http', createdAt: before?.createdAt ?? new Date().toISOString(), ...body, updatedAt: new Date().toISOString() };
    pool.workers = pool.workers.filter((other) => other.slot !== slot).concat(worker);
    this.#note(name, user.name, 'worker.declare', slot, before, worker);
    return { status: before === undefined ? 201 : 200, body: worker };
  }

  #drain(pool, name, slot, action, user) {
    const worker = pool.workers.find((other) => other.slot === slot);
    const { decoders, prefillers } = this.world.pool(name);
    const live = [...decoders, ...prefillers].find((other) => other.id === slot);
    const before = { desiredState: worker.desiredState };
    worker.desiredState = action === 'drain' ? 'draining' : 'serving';
    if (live !== undefined) {
      live.drained = action === 'drain';
      live.state = action === 'drain' ? 'DRAINING' : 'READY';
    }
    this.#note(name, user.name, `worker.${action}`, slot, before, { desiredState: worker.desiredState });
    return ok(worker);
  }

  #decision(requestId) {
    const decoders = this.world.pools[0].decoders.slice(0, 8);
    return {
      at: new Date().toISOString(),
      requestId,
      promptTokens: 1241,
      label: 'math',
      signature: true,
      decoders: decoders.map((decoder, i) => ({ id: decoder.id, cluster: i, similarity: 0.91 - i * 0.03, inFlight: Math.round(decoder.load) })),
      decision: { requestId, pool: 'demo', decoder: decoders[1], fallbacks: decoders.slice(2, 4), cluster: 1, similarity: 0.88, band: { tau: 0.044, members: decoders.slice(0, 2).map((decoder, i) => ({ id: decoder.id, similarity: 0.91 - i * 0.03, load: 20 - i * 3 })) }, policy: 'eldr', reason: 'band', artifactVersion: 7, generation: 12 },
    };
  }
}

function report(random, k, seed, passed = true) {
  const curve = [0.61, 0.69, 0.73, 0.752, 0.764, 0.771, 0.774, 0.773, 0.771, 0.768];
  const order = Array.from({ length: 48 }, (_, i) => (i * 31 + 7) % 48);
  const shares = Array.from({ length: k }, () => random.between(0.7, 1.4));
  const sum = shares.reduce((a, b) => a + b, 0);
  return {
    model: MODEL,
    requests: 4000 + seed * 120,
    layers: 48,
    experts: 128,
    topK: 8,
    representation: 'count',
    rho: { count: { fit: 0.781, heldOut: 0.774 - seed * 0.002 }, count_idf: { fit: 0.752, heldOut: 0.743 }, binary: { fit: 0.641, heldOut: 0.655 } },
    prefillDecodeCorrelation: 0.84,
    mask: [3, 7, 12, 19, 24, 31, 38],
    maskOrder: order,
    maskCurve: order.map((_, i) => curve[i] ?? 0.768 - (i - 9) * 0.0016),
    clusterSizes: Array.from({ length: k }, (_, i) => 300 - ((i * 37) % 22)),
    objective: 412.2,
    recommendedTau: 0.044,
    heldOut: { shares: shares.map((share) => share / sum), meanBestSimilarity: 0.871, meanBand: 1.98 },
    unionReduction: {
      token: 'drawn',
      batches: [
        { batch: 8, groups: k, grouped: 41.2, random: 46.4, reductionPct: 11.2, low: 10.1, high: 12.4 },
        { batch: 16, groups: k, grouped: 60.3, random: 69.9, reductionPct: 13.7, low: 12.6, high: 14.9 },
        { batch: 32, groups: k - 1, grouped: 79.1, random: 93.6, reductionPct: 15.5, low: 14.1, high: 16.8 },
      ],
    },
    verdict: { worthEnabling: true, reasons: ['held-out rho is 0.774', 'batches of 32 requests of one cluster load 79.10 distinct experts per layer, random ones 93.60: 15.5 % fewer (95 % interval 14.1 to 16.8)'] },
    warnings: seed % 2 === 0 ? ['cluster 5 has fewer than 150 signatures'] : [],
    seconds: { mask: 5.2, cluster: 1.1, total: 7.4 },
    basis: { kind: 'full', trigger: 'manual', samplesRead: 5000, samplesHeldBack: 1000, samplesUsed: 4000, samplesWithDecode: 4890 },
    gate: {
      passed,
      judgedOn: 'newest',
      rule: 'full',
      activeVersion: 6,
      overridden: false,
      measure: 'union',
      token: 'drawn',
      batch: 32,
      candidate: passed ? 79.1 : 91.4,
      active: passed ? 80.2 : 88.2,
      difference: passed ? { low: -1.9, high: -0.2 } : { low: 2.1, high: 4.3 },
      hottestShare: { candidate: 0.171, active: 0.165, limit: 0.25 },
      requests: 1000,
      reasons: passed ? [] : ['its batches load more experts'],
      warnings: [],
    },
  };
}

function study(options) {
  const base = { eldr: 22.9, random: 27.4, 'round-robin': 26.8, jsq: 26.1, p2c: 26.4, domain: 23.6 };
  const runs = options.decoders.flatMap((decoders) =>
    options.rates.flatMap((rate) =>
      options.policies.flatMap((policy) =>
        (policy === 'eldr' ? options.tau : [undefined]).map((choice) => {
          const tau = choice === undefined ? null : choice === 'auto' ? 0.044 : Number(choice);
          const p50 = (base[policy] ?? 25) + (tau === null ? 0 : (tau - 0.08) ** 2 * 60) + (8 - decoders) * 0.35 + rate * 0.04;
          const spread = (value, part) => ({ value, low: value * (1 - part), high: value * (1 + part) });
          const three = (name, at) => ({ [name]: at.value, [`${name}Low`]: at.low, [`${name}High`]: at.high });
          const over = (reference) => ({ ...three('p50', spread((p50 / reference - 1) * 100, 0.12)), ...three('p99', spread((p50 / reference - 1) * 45, 0.3)) });
          return { policy, rate, tau, decoders, tauChoice: choice ?? null, tpotMs: { ...three('p50', spread(p50, 0.012)), ...three('p95', spread(p50 * 1.25, 0.02)), ...three('p99', spread(p50 * (tau === null ? 1.44 : 1.38 + Math.abs(tau - 0.1)), 0.03)) }, ttftMs: three('p50', spread(69, 0.02)), ...three('meanUnion', spread(p50 * 3.7, 0.01)), ...three('meanBand', spread(policy === 'eldr' ? 1 + (tau ?? 0) * 22 : 8, 0.01)), ...three('spill', spread(policy === 'eldr' ? Math.min(0.9, (tau ?? 0) * 2.4) : 0.87, 0.02)), ...three('maxOverMeanLoad', spread(policy === 'jsq' ? 1.06 : 1.24, 0.02)), vsRoundRobinPct: policy === 'round-robin' ? null : over(26.8), vsBestLoadBalancerPct: over(26.1), unstable: policy === 'random' && rate > 40 ? 'the backlog grows: 71 requests a second arrive, 64 are served' : null };
        }),
      ),
    ),
  );
  return { arrivals: options.arrivals, mix: options.mix, model: MODEL, decodeTokens: 'drawn', requests: options.requests, seeds: options.seeds, runs, basis: 'version', samples: 5000 };
}

function drift(pool, random, now) {
  return {
    pool: pool.view.name,
    state: 'calm',
    generation: 12,
    version: 7,
    refitRequested: false,
    since: new Date(now - 4 * HOUR).toISOString(),
    windows: Array.from({ length: 20 }, (_, i) => ({ version: 7, generation: 12, startedAt: new Date(now - (i + 1) * 9e5).toISOString(), endedAt: new Date(now - i * 9e5).toISOString(), requests: 2000, psi: 0.03 + random.next() * 0.03, psiThreshold: 0.1, ks: 0.02 + random.next() * 0.02, ksThreshold: 0.08, meanSimilarity: 0.87, heldOutMeanSimilarity: 0.871, spillRate: 0.11, singletonBandShare: 0.4, withoutSignatureShare: 0.01, mixShift: false, newContent: false, alarm: false })),
  };
}

function ok(body) {
  return { status: 200, body };
}

function found(body) {
  return body === undefined ? missing('this') : ok(body);
}

function missing(what) {
  return refuse(404, 'There is no such thing', `There is no ${what}.`);
}

function refuse(status, title, detail, field) {
  return { status, body: { type: 'https://eldr.io/problems/mock', title, status, detail, ...(field === undefined ? {} : { field }) } };
}
