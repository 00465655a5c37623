// Work that can wait until the page has been drawn once, one piece per task: readable content
// appears first and no task blocks the reader. For printing, all of it is done at once.

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

// Returns a function that cancels it.
export function whenPainted(work: Work): () => void {
  if (!isListening) {
    isListening = true;
    window.addEventListener('beforeprint', runAll);
  }
  if (!isUnderway) {
    isUnderway = true;
    // An animation frame's callbacks run before the paint; a task queued there runs after it.
    window.requestAnimationFrame(() => window.setTimeout(runOne));
  }
  waiting.add(work);
  return () => waiting.delete(work);
}
