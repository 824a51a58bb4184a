import { type Violation } from '../violation';

const ALSO_PLAIN = { violation: 'answers over plain HTTP as it does over HTTPS', plainHttp: true } as const;

/** Violations that the checks of transport find. */
export const TRANSPORT_VIOLATIONS: readonly Violation[] = [
  { clause: 'common-rules/rule-1', ...ALSO_PLAIN },
  { clause: 'limits/row-transport', ...ALSO_PLAIN },
];
