// Work that can wait until the page has been drawn once, a piece a task, so that what there is to
// read is there first and no task keeps the reader waiting. On paper all of it is needed at once.

type Work = () => void;

const waiting = new Set<Work>();
let isUnderway = false;
let isListening = false;

function runOne(): void {
  const [work] = waiting;
  if (work !== undefined) {
    waiting.delete(work);
    work();
  }
  if (waiting.size > 0) window.setTimeout(runOne);
  else isUnderway = false;
}

function runAll(): void {
  for (const work of [...waiting]) {
    waiting.delete(work);
    work();
  }
}

// Returns what takes it back.
export function whenPainted(work: Work): () => void {
  if (!isListening) {
    isListening = true;
    window.addEventListener('beforeprint', runAll);
  }
  if (!isUnderway) {
    isUnderway = true;
    // A frame's callbacks come before it is painted, a task from there after it.
    window.requestAnimationFrame(() => window.setTimeout(runOne));
  }
  waiting.add(work);
  return () => waiting.delete(work);
}
