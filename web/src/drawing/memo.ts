// Caches a value per index, computed on first use.
export function memo<T>(make: (index: number) => T): (index: number) => T {
  const made = new Map<number, T>();
  return (index) => {
    let one = made.get(index);
    if (one === undefined) made.set(index, (one = make(index)));
    return one;
  };
}
