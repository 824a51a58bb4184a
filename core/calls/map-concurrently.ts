/**
 * Maps items with at most `parallel` of them in flight, and keeps their order. After a failure, it starts no further item.
 * @throws what `map` throws first
 */
export async function mapConcurrently<In, Out>(
  items: readonly In[],
  parallel: number,
  map: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = [];
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      try {
        results[at] = await map(items[at]!);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return results;
}
