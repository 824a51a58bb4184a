import { type ViolationTable } from '../violation';

const ALSO_PLAIN = { 'answers over plain HTTP as it does over HTTPS': { plainHttp: true } } as const;

/** Violations that the checks of transport find. */
export const TRANSPORT_VIOLATIONS: ViolationTable = {
  'common-rules/rule-1': ALSO_PLAIN,
  'limits/row-transport': ALSO_PLAIN,
};
