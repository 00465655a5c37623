// What is made of each index when it is first asked for.
export function memo<T>(make: (index: number) => T): (index: number) => T {
  const made = new Map<number, T>();
  return (index) => {
    let one = made.get(index);
    if (one === undefined) made.set(index, (one = make(index)));
    return one;
  };
}
