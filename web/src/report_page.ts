// The page of a report, whoever made the report: its styles, its views, its frame.

import './style/base.css';
import './style/frame.css';
import './style/opening.css';
import './style/table.css';
import './style/panel.css';
import './style/overview.css';
import './style/graph.css';
import './style/figure.css';
import './style/sweep.css';
import './style/tactics.css';
import './style/accuracy.css';
import './style/timing.css';
import './style/memory.css';
import './style/findings.css';
import './style/files.css';
import './style/precision.css';
import './style/work.css';
import './style/compare.css';
import './style/print.css';

import { startFrame, type EngineSource, type Frame } from './frame/index.ts';
import type { Report } from './model/decode.ts';
import { kViews } from './views/index.ts';

export function showReport(report: Report, source: EngineSource): Frame {
  const views = kViews.filter((view) => view.isThere?.(report) ?? true);
  return startFrame(report, views, document.body, source);
}
