import { random } from './random.mjs';
import { LABELS } from './world.mjs';

const LAYERS = 48;
const EXPERTS = 128;

/** Made-up clusters of a pool, or one of them with its experts. */
export function clusters(live, one) {
  const k = live.decoders.length;
  if (one !== undefined) {
    return { cluster: Number(one), layers: LAYERS, experts: EXPERTS, ...cells(Number(one)) };
  }
  const dice = random(5);
  const points = centres(k);
  return {
    pool: live.name,
    version: live.version,
    generation: live.generation,
    representation: 'count',
    mask: [3, 7, 12, 19, 24, 31, 38],
    layers: LAYERS,
    experts: EXPERTS,
    clusters: live.decoders.map((decoder, i) => ({
      cluster: i,
      decoder: decoder.id,
      size: 300 - ((i * 37) % 22),
      share: decoder.share,
      heldOutShare: 1 / k + dice.between(-0.02, 0.03) / (k / 8),
      meanSimilarity: dice.between(0.82, 0.91),
      labels: [0, 1, 2].map((j) => ({ label: LABELS[(i + j) % LABELS.length], count: [180, 70, 24][j] + i })),
      spill: { rate: dice.between(0.04, 0.2), to: [1, 2].map((step) => ({ decoder: live.decoders[(i + step) % k].id, share: step === 1 ? 0.7 : 0.3 })) },
      distinct: Array.from({ length: 16 }, (_, j) => ({ layer: (j * 7 + i * 3) % LAYERS, expert: (j * 29 + i * 17) % EXPERTS, lift: 4.6 - j * 0.2 })),
      layerWeight: Array.from({ length: LAYERS }, (_, l) => Math.abs(Math.sin((l + i) / 6)) * 0.4 + 0.05),
    })),
    distances: points.map((a) => points.map((b) => Math.min(1, Math.hypot(a.x - b.x, a.y - b.y) * 0.9))),
  };
}

function centres(k) {
  return Array.from({ length: k }, (_, i) => ({ x: Math.cos((i * 2 * Math.PI) / k) * (0.45 + 0.12 * (i % 3)), y: Math.sin((i * 2 * Math.PI) / k) * (0.4 + 0.1 * (i % 2)) }));
}

function cells(cluster) {
  const dice = random(100 + cluster);
  const values = new Int8Array(LAYERS * EXPERTS);
  for (let i = 0; i < values.length; i++) {
    const strong = dice.next() < 0.035;
    values[i] = Math.round(dice.normal() * 7 + (strong ? dice.between(40, 120) : 0) - (dice.next() < 0.02 ? 40 : 0));
  }
  return { cells: Buffer.from(values.buffer).toString('base64'), scale: 0.0008 };
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
