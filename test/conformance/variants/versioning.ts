import { type Variant } from '../variant';

const OFF = 'if (!available) return c.notFound();';

/** Variants that break the checks of what may change. */
export const VERSIONING_VARIANTS: readonly Variant[] = [
  {
    clause: 'versioning/bullet-1',
    file: 'sandbox/content/content-interface.ts',
    from: OFF,
    to: `if (!available && operation === 'archive') return c.notFound();`,
    alsoFails: ['besides the six operations that exist today there is none, while restore is yet to come'],
  },
  {
    clause: 'what-the-service-does/bullet-5',
    file: 'sandbox/content/content-interface.ts',
    from: OFF,
    to: `if (!available) {
      await write(c, operation, readActingUser).catch(() => undefined);
      return c.notFound();
    }`,
  },
  {
    clause: 'versioning/bullet-3',
    file: 'sandbox/content/content-interface.ts',
    from: 'values?.flatMap(',
    to: `values?.map((value) => value.replace('draft', 'created')).flatMap(`,
  },
  {
    clause: 'versioning/bullet-3',
    file: 'sandbox/content/content-interface.ts',
    from: 'return c.json(contents.map(catalogueView));',
    to: 'return c.json(contents.map((content) => contentRecord(content, 0)));',
  },
  {
    clause: 'versioning/bullet-4',
    file: 'sandbox/tokens/client-credentials.ts',
    from: 'credential.owner.environment === owner.environment &&',
    to: '',
    alsoFails: ['staging/global', 'staging/mea', 'production/global', 'production/mea'].map(
      (cell) => `${cell} has a token base of its own for each interface`,
    ),
  },
];
