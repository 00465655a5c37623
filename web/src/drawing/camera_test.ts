import { describe, expect, it } from 'vitest';

import { detailOf, fit, kMinText, kSmallText, pan, seen, zoomAt } from './camera.ts';

describe('the camera', () => {
  const camera = { x: 100, y: 200, zoom: 0.5 };

  it('sees less of the plane the nearer it is', () => {
    expect(seen(camera, 400, 300)).toEqual({ x0: 100, y0: 200, x1: 900, y1: 800 });
  });
  it('keeps the point under the pointer', () => {
    const nearer = zoomAt(camera, 40, 60, 1.7);
    expect(nearer.x + 40 / nearer.zoom).toBeCloseTo(100 + 40 / 0.5);
    expect(nearer.y + 60 / nearer.zoom).toBeCloseTo(200 + 60 / 0.5);
  });
  it('stops at its limits', () => {
    expect(zoomAt(camera, 0, 0, 1e9).zoom).toBeLessThanOrEqual(4);
    expect(zoomAt(camera, 0, 0, 1e-9).zoom).toBeGreaterThan(0);
  });
  it('pans by what the hand moves', () => {
    expect(pan(camera, 10, -20)).toEqual({ x: 120, y: 160, zoom: 0.5 });
  });
  it('fits a plane of any shape', () => {
    for (const plane of [
      { width: 300, height: 600_000 },
      { width: 50_000, height: 90 },
      { width: 0, height: 0 },
    ]) {
      const all = seen(fit(plane, { width: 900, height: 600 }), 900, 600);
      expect(all.x0).toBeLessThanOrEqual(0);
      expect(all.y0).toBeLessThanOrEqual(0);
      expect(all.x1).toBeGreaterThanOrEqual(plane.width);
      expect(all.y1).toBeGreaterThanOrEqual(plane.height);
    }
  });
});

describe('the level of detail', () => {
  it('never draws text that is too small', () => {
    for (let zoom = 0.01; zoom < 3; zoom *= 1.03) {
      if (detailOf(zoom, 34) === 'full') expect(kSmallText * zoom).toBeGreaterThanOrEqual(kMinText);
      if (detailOf(zoom, 34) === 'brief') expect(34 * zoom).toBeGreaterThan(kMinText);
    }
  });
  it('goes from boxes to all there is', () => {
    expect([0.1, 0.5, 1].map((zoom) => detailOf(zoom, 34))).toEqual(['box', 'brief', 'full']);
  });
});
