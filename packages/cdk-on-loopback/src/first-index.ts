/** The index of the first item that fulfills a condition, which all items after it fulfill; the length if none does. */
export function firstIndex<Item>(items: readonly Item[], fulfills: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (fulfills(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
