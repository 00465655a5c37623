import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { assemble, escapeInlineScript, kExplorer, kIndex, kReport } from './single_file.ts';

const kTemplate = `<meta content="{{BUILD:CSP}}"><!--BUILD:STYLE-->${kReport.placeholders.join('')}<!--BUILD:SCRIPT-->`;

const hashOf = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

describe('assemble', () => {
  it('hashes exactly what stands in the page', () => {
    const html = assemble(kExplorer, kTemplate, 'a{}', 'x("</script>", "$&")');
    const script = /<script type="module">(.*)<\/script>/s.exec(html)?.[1] ?? '';
    expect(html).toContain(`script-src ${hashOf(script)} `);
    expect(html).toContain('"$&"');
    expect(html).not.toContain("'unsafe-inline'");
    expect(html).not.toContain("'unsafe-eval'");
  });
  it('hashes what unpacks the script, and what it unpacks', () => {
    const html = assemble(kReport, kTemplate, '', 'x("</script>")');
    const packed = /id="planex-script">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
    const script = inflateSync(Buffer.from(packed, 'base64')).toString();
    expect(script).toBe('x("<\\/script>")');
    const unpack = /<script>(.*?)<\/script>/s.exec(html)?.[1] ?? '';
    expect(html).toContain(`script-src ${hashOf(unpack)} ${hashOf(script)} `);
  });
  it('keeps the placeholders unique', () => {
    expect(() => assemble(kReport, `${kTemplate}<!--PLANEX:DATA-->`, '', '')).toThrow(
      /exactly once/,
    );
    // The script may mention one: it is escaped there.
    expect(
      assemble(kReport, kTemplate, '', 'f("<!--PLANEX:DATA-->")').split('<!--PLANEX:DATA-->')
        .length,
    ).toBe(2);
  });
  it('lets the index talk to its server alone', () => {
    const html = assemble(kIndex, '<meta content="{{BUILD:CSP}}"><!--BUILD:SCRIPT-->', '', 'x');
    expect(html).toContain("connect-src 'self'");
    expect(html).not.toContain('wasm');
    expect(assemble(kReport, kTemplate, '', 'x')).not.toContain('connect-src');
  });
  it('cannot leave the script element', () => {
    expect(escapeInlineScript('"</SCRIPT><!--"')).toBe('"<\\/SCRIPT>\\x3C!--"');
  });
});
