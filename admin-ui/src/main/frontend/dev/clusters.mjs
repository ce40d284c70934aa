import { random } from './random.mjs';
import { LABELS } from './world.mjs';

const LAYERS = 48;
const EXPERTS = 128;

/** Made-up clusters of a version. */
export function clusters(live, version) {
  const k = live.decoders.length;
  const dice = random(5);
  const points = centres(k);
  return {
    pool: live.name,
    version,
    layers: LAYERS,
    experts: EXPERTS,
    topK: 8,
    mask: [3, 7, 12, 19, 24, 31, 38],
    samples: 1000,
    clusters: live.decoders.map((decoder, i) => ({
      cluster: i,
      slot: decoder.id,
      basis: 'decode',
      fittedRequests: 300 - ((i * 37) % 22),
      heldOutShare: 1 / k + dice.between(-0.02, 0.03) / (k / 8),
      sampledRequests: Math.round((1000 / k) * dice.between(0.8, 1.3)),
      labels: Object.fromEntries([0, 1, 2].map((j) => [LABELS[(i + j) % LABELS.length], [180, 70, 24][j] + i])),
      layerContrast: Array.from({ length: LAYERS }, (_, l) => Math.abs(Math.sin((l + i) / 6)) * 0.4 + 0.05),
      distinctExperts: Array.from({ length: 16 }, (_, j) => ({ layer: (j * 7 + i * 3) % LAYERS, expert: (j * 29 + i * 17) % EXPERTS, use: 0.62 - j * 0.02, elsewhere: 0.08 + j * 0.004 })),
    })),
    distances: points.map((a) => points.map((b) => Math.min(1, Math.hypot(a.x - b.x, a.y - b.y) * 0.9))),
  };
}

/** Which experts one of them uses. */
export function clusterExperts(live, version, cluster) {
  const dice = random(100 + cluster);
  const mean = Array.from({ length: LAYERS }, () => Array.from({ length: EXPERTS }, () => dice.between(0.02, 0.1)));
  const use = mean.map((row) => row.map((share) => (dice.next() < 0.04 ? share + dice.between(0.1, 0.6) : Math.max(0, share + dice.normal() * 0.02))));
  return { pool: live.name, version, cluster, slot: live.decoders[cluster].id, basis: 'decode', layers: Array.from({ length: LAYERS }, (_, l) => l), use, mean };
}

function centres(k) {
  return Array.from({ length: k }, (_, i) => ({ x: Math.cos((i * 2 * Math.PI) / k) * (0.45 + 0.12 * (i % 3)), y: Math.sin((i * 2 * Math.PI) / k) * (0.4 + 0.1 * (i % 2)) }));
}

export function poolMap(live, world) {
  const dice = random(Math.floor(world.clock() / 5000));
  const k = live.decoders.length;
  const points = centres(k);
  return {
    pool: live.name,
    generation: live.generation,
    artifactVersion: live.version,
    explained: [0.41, 0.23],
    centroids: points.map((point, i) => ({ cluster: i, slot: live.decoders[i].id, ...point })),
    points: Array.from({ length: 900 }, (_, n) => {
      const nearest = dice.integer(k);
      const spilled = dice.next() < 0.12;
      const cluster = spilled ? (nearest + 1) % k : nearest;
      return { requestId: n === 0 ? '<script>alert(1)</script>' : `req-${(100_000 + n).toString(36)}`, at: new Date(world.clock() - n * 60).toISOString(), label: LABELS[nearest % LABELS.length], decoder: live.decoders[cluster].id, nearest, cluster, similarity: 0.9 - dice.next() * 0.2, reason: spilled ? 'band' : 'nearest', x: points[nearest].x + dice.normal() * 0.07, y: points[nearest].y + dice.normal() * 0.07 };
    }),
    spill: points.map((_, i) => points.map((__, j) => (i === j ? 100 : j === (i + 1) % k ? 12 : 0))),
    labels: points.map((_, i) => ({ [LABELS[i % LABELS.length]]: 90, [LABELS[(i + 1) % LABELS.length]]: 22 })),
    missing: [],
  };
}
