import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { assemble, escapeInlineScript, kPlaceholders } from './single_file.ts';

const kTemplate = `<meta content="{{BUILD:CSP}}"><!--BUILD:STYLE-->${kPlaceholders.join('')}<!--BUILD:SCRIPT-->`;

describe('assemble', () => {
  it('hashes exactly what stands in the page', () => {
    const html = assemble(kTemplate, 'a{}', 'x("</script>", "$&")');
    const script = /<script type="module">(.*)<\/script>/s.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(html).toContain(`script-src 'sha256-${hash}'`);
    expect(html).toContain('"$&"');
    expect(html).not.toContain("'unsafe-inline'");
    expect(html).not.toContain("'unsafe-eval'");
  });
  it('keeps the placeholders unique', () => {
    expect(() => assemble(`${kTemplate}<!--PLANEX:DATA-->`, '', '')).toThrow(/exactly once/);
    // The script may mention one: it is escaped there.
    expect(
      assemble(kTemplate, '', 'f("<!--PLANEX:DATA-->")').split('<!--PLANEX:DATA-->').length,
    ).toBe(2);
  });
  it('cannot leave the script element', () => {
    expect(escapeInlineScript('"</SCRIPT><!--"')).toBe('"<\\/SCRIPT>\\x3C!--"');
  });
});
