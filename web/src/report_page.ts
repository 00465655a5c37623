// The page of a report, whoever wrote the report: its views, its frame.

import { Frame, type EngineSource } from './frame/index.ts';
import type { Report } from './model/decode.ts';
import { kViews } from './views/index.ts';
// Applies to everything, so it comes after the styles of the parts.
import './frame/print.css';

export function showReport(report: Report, source: EngineSource): Frame {
  const views = kViews.filter((view) => view.isThere?.(report, source.core) ?? true);
  return new Frame(report, views, document.body, source);
}
