import { type Variant } from '../variant';

/** Variants that break the check of secrecy. */
export const SECRECY_VARIANTS: readonly Variant[] = [
  {
    clause: 'common-rules/rule-2',
    file: 'sandbox/interception.ts',
    from: 'const { method, path } = c.req;',
    to: "const { method } = c.req;\n    const path = `${c.req.path} ${c.req.header('authorization')}`;",
  },
];
