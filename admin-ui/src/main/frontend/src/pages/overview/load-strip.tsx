import { useCallback, useRef } from 'react';
import { useIsDark } from '../../app/preferences';
import type { DecoderState } from '../../api/types';
import { token } from '../../charts/colours';
import { useCanvas, useWidth } from '../../charts/use-canvas';

const HEIGHT = 44;

/** The load of all decoders at a glance, the busiest on the left; the table below says the same in words. */
export function LoadStrip({ decoders }: { readonly decoders: readonly DecoderState[] }) {
  const holder = useRef<HTMLDivElement>(null);
  const width = useWidth(holder);
  const dark = useIsDark();
  const draw = useCallback(
    (context: CanvasRenderingContext2D) => drawStrip(context, width, decoders),
    // The colours of the tokens change with the theme.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [decoders, width, dark],
  );
  const canvas = useCanvas(width, HEIGHT, draw);
  return (
    <div ref={holder} className="load-strip">
      <canvas ref={canvas} height={HEIGHT} aria-hidden="true" />
    </div>
  );
}

function drawStrip(context: CanvasRenderingContext2D, width: number, decoders: readonly DecoderState[]): void {
  const busiest = [...decoders].sort((a, b) => b.load - a.load);
  const most = Math.max(1, busiest[0]?.load ?? 1);
  const step = width / busiest.length;
  const gap = step > 4 ? 1 : step > 2 ? 0.5 : 0;
  busiest.forEach((decoder, i) => {
    const height = Math.max(1.5, (decoder.load / most) * HEIGHT);
    context.fillStyle = token(decoder.state === 'READY' ? '--locality' : decoder.state === 'DRAINING' ? '--warn' : '--bad');
    context.fillRect(i * step, HEIGHT - height, step - gap, height);
  });
  const mean = busiest.reduce((sum, decoder) => sum + decoder.load, 0) / busiest.length;
  const y = Math.round(HEIGHT - (mean / most) * HEIGHT) + 0.5;
  context.strokeStyle = token('--text');
  context.setLineDash([3, 3]);
  context.beginPath();
  context.moveTo(0, y);
  context.lineTo(width, y);
  context.stroke();
  context.setLineDash([]);
}
