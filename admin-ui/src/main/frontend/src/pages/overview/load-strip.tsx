import { useEffect, useRef } from 'react';
import { useIsDark } from '../../app/preferences';
import type { DecoderState } from '../../api/types';
import { token } from '../../charts/colours';

const HEIGHT = 44;

/** The load of all decoders at a glance, the busiest on the left; the table below says the same in words. */
export function LoadStrip({ decoders }: { readonly decoders: readonly DecoderState[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const dark = useIsDark();
  useEffect(() => {
    if (canvas.current !== null) {
      draw(canvas.current, decoders);
    }
  }, [decoders, dark]);
  return (
    <div className="load-strip">
      <canvas ref={canvas} height={HEIGHT} aria-hidden="true" />
    </div>
  );
}

function draw(canvas: HTMLCanvasElement, decoders: readonly DecoderState[]): void {
  const context = canvas.getContext('2d');
  const width = canvas.parentElement?.clientWidth ?? 0;
  if (context === null || width === 0) {
    return;
  }
  const ratio = window.devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = HEIGHT * ratio;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${HEIGHT}px`;
  context.scale(ratio, ratio);
  const busiest = [...decoders].sort((a, b) => b.load - a.load);
  const most = Math.max(1, busiest[0]?.load ?? 1);
  const step = width / busiest.length;
  const gap = step > 4 ? 1 : step > 2 ? 0.5 : 0;
  const ready = token('--locality');
  const out = token('--bad');
  const leaving = token('--warn');
  busiest.forEach((decoder, i) => {
    const height = Math.max(1.5, (decoder.load / most) * HEIGHT);
    context.fillStyle = decoder.state === 'READY' ? ready : decoder.state === 'DRAINING' ? leaving : out;
    context.fillRect(i * step, HEIGHT - height, step - gap, height);
  });
  const mean = busiest.reduce((sum, decoder) => sum + decoder.load, 0) / busiest.length;
  context.strokeStyle = token('--text');
  context.setLineDash([3, 3]);
  context.beginPath();
  const y = Math.round(HEIGHT - (mean / most) * HEIGHT) + 0.5;
  context.moveTo(0, y);
  context.lineTo(width, y);
  context.stroke();
}
