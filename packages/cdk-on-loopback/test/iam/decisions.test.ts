import { evaluatePolicies } from '../../src/iam/evaluate';
import { DECISIONS } from './cases/decisions';
import { messageOf, readSecret } from './requests-and-policies';

const NOT_UNDERSTOOD = 'because the local evaluator does not understand';

describe.each(Object.entries(DECISIONS))('as %s says', (_source, cases) => {
  it.each(cases)('%s', (_what, { request, ...policies }, expected) => {
    const decision = evaluatePolicies({ ...readSecret, ...request }, policies);

    expect(decision.allowed).toBe(expected === true);
    if (typeof expected === 'string') expect(messageOf(decision)).toContain(`${NOT_UNDERSTOOD} `);
    else expect(messageOf(decision)).not.toContain(NOT_UNDERSTOOD);
    if (typeof expected === 'string') expect(messageOf(decision)).toContain(expected);
  });
});
