import { describe, expect, it } from 'vitest';

import { escapeXml, SvgPen } from './svg_pen.ts';

const kHostile = [
  '<img src=x onerror="window.pwned=1">',
  '</text><script>alert(1)</script>',
  '"><svg onload=window.pwned=3>',
  "' onload='x",
  ']]>&amp;&#0;',
  '\u202Egnp.exe\u202C',
  'line\nbreak\ttab\u0000nul\u001b[31m',
  '\ud800 half, \udc00 half',
  '\ufffe\uffff',
  '漢字 👩‍👩‍👧',
];

describe('the SVG pen', () => {
  it('writes any name as text', () => {
    for (const name of kHostile) {
      const escaped = escapeXml(name);
      expect(escaped).not.toMatch(/[<>"]/);
      expect(escaped).not.toMatch(/&(?!(amp|lt|gt|quot);)/);
      // eslint-disable-next-line no-control-regex -- what XML 1.0 forbids
      expect(escaped).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
      expect(escaped).toBe(Buffer.from(escaped, 'utf8').toString('utf8'));
    }
    expect(escapeXml('漢字 👩')).toBe('漢字 👩');
  });
  it('writes a document with every element closed', () => {
    const pen = new SvgPen(
      { fontFamily: '"A", serif', background: '#fff', hatch: { colour: '#f00', stripe: '#fff' } },
      1,
    );
    const font = { size: 11, weight: 400 } as const;
    for (const name of kHostile) pen.text(name, 1, 2, { font, colour: '#000' });
    pen.clipped(0, 0, 10, 10, 2, () => pen.rect(0, 0, 5, 5, { fill: { kind: 'hatch' } }));
    pen.lines([[0, 0, 0, 20, 20, 20]], { colour: '#000', width: 1 });
    pen.shapes([[0, 0, 1, 1, 2, 0]], '#000');
    const svg = pen.document(kHostile[1] ?? '', 0, 0, 100, 50);
    const open = svg.match(/<[a-z][a-zA-Z]*\b[^>]*[^/]>|<[a-z]+>/g)?.length;
    expect(open).toBe(svg.match(/<\/[a-zA-Z]+>/g)?.length);
    expect(svg).not.toContain('<script');
    expect(svg.startsWith('<svg ')).toBe(true);
  });
});
