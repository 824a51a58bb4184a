import { createHash } from 'node:crypto';
import { type Cell, cellName } from './cell';

/** Makes ids that are the same in every run: 24 hexadecimal digits for a cell, tenant, kind and number. */
export type SeededId = (kind: string, n: number) => string;

/** The ids of one tenant. */
export function seededIds(cell: Cell, tenantId: string): SeededId {
  return (kind, n) =>
    createHash('sha256')
      .update(`${cellName(cell)}/${tenantId}/${kind}/${n}`)
      .digest('hex')
      .slice(0, 24);
}

/** The users and collaborations of a tenant whose seed names none: two of each. */
export function seededReferences(cell: Cell, tenantId: string) {
  const id = seededIds(cell, tenantId);
  return {
    authorRefs: [id('author', 0), id('author', 1)],
    collaborationIds: [id('collaboration', 0), id('collaboration', 1)],
  };
}
