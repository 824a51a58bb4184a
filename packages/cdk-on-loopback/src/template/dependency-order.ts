/**
 * The ids, each after those that it depends on; otherwise in their order.
 * @param dependenciesOf may name others, which are left out
 * @param cyclic the error for a cycle, whose first id is also its last
 */
export function dependencyOrder(
  ids: readonly string[],
  dependenciesOf: (id: string) => Iterable<string>,
  cyclic: (cycle: string[]) => Error,
): string[] {
  const known = new Set(ids);
  const ordered = new Set<string>();
  const visit = (id: string, trail: readonly string[]): void => {
    if (ordered.has(id) || !known.has(id)) return;
    if (trail.includes(id)) throw cyclic([...trail.slice(trail.indexOf(id)), id]);
    for (const other of dependenciesOf(id)) visit(other, [...trail, id]);
    ordered.add(id);
  };
  for (const id of ids) visit(id, []);
  return [...ordered];
}
