// The page of a report, whoever made the report: its views, its frame.

import { Frame, type EngineSource } from './frame/index.ts';
import type { Report } from './model/decode.ts';
import { kViews } from './views/index.ts';
// Of everything: after the style of each.
import './frame/print.css';

export function showReport(report: Report, source: EngineSource): Frame {
  const views = kViews.filter((view) => view.isThere?.(report, source.core) ?? true);
  return new Frame(report, views, document.body, source);
}
