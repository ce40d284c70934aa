import { type RefObject, useEffect, useRef, useState } from 'react';
import type { DecoderState } from '../../api/types';

const SETTLED_FOR = 5_000;

/**
 * The decoders, the busiest first. Loads change every second; rows that jumped as often could not be read, so the order
 * changes every five seconds, and not while somebody points at it.
 */
export function useSettledOrder(decoders: readonly DecoderState[], around: RefObject<HTMLElement | null>): readonly DecoderState[] {
  const latest = useRef(decoders);
  const [order, setOrder] = useState(() => byLoad(decoders));
  useEffect(() => {
    latest.current = decoders;
  }, [decoders]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (around.current?.matches(':hover, :focus-within') !== true) {
        setOrder(byLoad(latest.current));
      }
    }, SETTLED_FOR);
    return () => clearInterval(timer);
  }, [around]);

  const rank = new Map(order.map((id, i) => [id, i]));
  return [...decoders].sort((a, b) => (rank.get(a.id) ?? Infinity) - (rank.get(b.id) ?? Infinity) || 0);
}

function byLoad(decoders: readonly DecoderState[]): readonly string[] {
  return [...decoders].sort((a, b) => b.load - a.load).map((decoder) => decoder.id);
}
