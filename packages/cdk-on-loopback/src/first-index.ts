/** Binary search for the first item that fulfills a condition, if all later items do too. @returns the length if none does */
export function firstIndex<Item>(items: readonly Item[], fulfills: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (fulfills(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
