import { type RefObject, useEffect, useRef, useState } from 'react';

/** How wide an element is, as it changes. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const holder = element.current;
    if (holder === null) {
      return;
    }
    const observer = new ResizeObserver(() => setWidth(holder.clientWidth));
    observer.observe(holder);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** A canvas of this size in CSS pixels, sharp on any screen, drawn again whenever `draw` is another function. */
export function useCanvas(width: number, height: number, draw: (context: CanvasRenderingContext2D) => void): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (element === null || context === null || context === undefined || width <= 0) {
      return;
    }
    const ratio = window.devicePixelRatio;
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (element.width !== wide || element.height !== high) {
      element.width = wide;
      element.height = high;
      element.style.width = `${width}px`;
      element.style.height = `${height}px`;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    draw(context);
  }, [width, height, draw]);
  return canvas;
}
