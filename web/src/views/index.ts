// The registry of views, in the order of their tabs. Adding a view is a folder and a line here.

import type { View } from '../public/index.ts';
import { accuracyView } from './accuracy/index.ts';
import { compareView } from './compare/index.ts';
import { filesView } from './files/index.ts';
import { findingsView } from './findings/index.ts';
import { graphView } from './graph/index.ts';
import { layersView } from './layers/index.ts';
import { memoryView } from './memory/index.ts';
import { overviewView } from './overview/index.ts';
import { sqlView } from './sql/index.ts';
import { sweepView } from './sweep/index.ts';
import { tacticsView } from './tactics/index.ts';
import { timingView } from './timing/index.ts';
import { precisionView } from './precision/index.ts';
import { workView } from './work/index.ts';

// One view a line, so that adding one changes one line.
// prettier-ignore
export const kViews: readonly View[] = [
  sweepView,
  overviewView,
  layersView,
  graphView,
  timingView,
  memoryView,
  precisionView,
  accuracyView,
  workView,
  tacticsView,
  findingsView,
  compareView,
  sqlView,
  filesView,
];
