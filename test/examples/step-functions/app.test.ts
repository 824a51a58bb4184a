import { gatewayProblems } from '../../../core/restore/gateway-problems';
import { OUTCOMES, type Outcome } from '../../../core/restore/restore-outcomes';
import { Synthesis } from '../../support/lib/synthesis';
import { InstalledExample } from '../../support/package/installed-example';
import {
  type Definition,
  definitionOf,
  type RunTask,
  runStateMachine,
  TaskFailure,
} from '../../support/package/state-machine';

const INPUT = { contentId: '507f1f77bcf86cd799439011', authorRef: 'author-1' };

describe('the state machine of the example step-functions', () => {
  let example: InstalledExample;
  let synthesis: Synthesis;
  let definition: Definition;

  beforeAll(async () => {
    example = new InstalledExample('step-functions');
    await example.compile();
    synthesis = new Synthesis((await example.synthesize()).assembly);
    definition = definitionOf(synthesis.only('AWS::StepFunctions::StateMachine').Properties.DefinitionString);
  });
  afterAll(() => example.remove());

  /** Runs it with these answers of the restore API, the last one for all further requests. */
  function run(
    answers: (number | 'no answer')[],
    { isPublished = true, hasToken = true }: { isPublished?: boolean; hasToken?: boolean } = {},
  ) {
    const requests: Record<string, unknown>[] = [];
    const ensured: unknown[] = [];
    const task: RunTask = (resource, parameters) => {
      if (resource.startsWith('LookFunction')) return { isPublished };
      if (!resource.endsWith(':apigateway:invoke')) {
        ensured.push(parameters);
        return hasToken ? { ok: true } : { ok: false, error: { message: 'no credentials' } };
      }
      requests.push(parameters);
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
      if (answer === 'no answer') throw new TaskFailure('ApiGateway.SdkClientException', 'reset');
      if (answer >= 300) throw new TaskFailure(`ApiGateway.${answer}`, '{"code":"…"}');
      return { StatusCode: answer };
    };
    return { states: runStateMachine(definition, INPUT, task), requests, ensured };
  }
  const endOf = (...how: Parameters<typeof run>) => run(...how).states.at(-1);

  it('has a token renewed, and sends one signed request', () => {
    const { states, requests, ensured } = run([200]);

    expect(states).toEqual(['EnsureToken', 'HasToken', 'Restore', 'Restored']);
    expect(ensured).toEqual([
      { action: 'ensure', tenantId: 'eu-west-2_StagingAb', interface: 'content', scope: 'api/write' },
    ]);
    expect(requests).toEqual([
      expect.objectContaining({
        Method: 'POST',
        Path: `tenants/eu-west-2_StagingAb/contents/${INPUT.contentId}/restore`,
        RequestBody: { authorRef: 'author-1' },
        AuthType: 'IAM_ROLE',
      }),
    ]);
  });

  it('sends nothing without a token', () => {
    const { states, requests } = run([200], { hasToken: false });

    expect(states.at(-1)).toBe('NoToken');
    expect(requests).toEqual([]);
  });

  const documented = [...Object.values<Outcome>(OUTCOMES), ...gatewayProblems('iam')].filter(
    ({ status, code }) => status >= 300 && code !== 'internal_error',
  );
  const statusesTo = (...retries: Outcome['retry'][]) =>
    [
      ...new Set(documented.filter(({ retry }) => retries.includes(retry)).map(({ status }) => status)),
    ].sort();

  it('repeats nothing whose outcome is unknown, and looks instead', () => {
    const unknown = statusesTo('after_checking');

    expect(unknown).toEqual([500, 504]);
    for (const answer of [...unknown, 'no answer'] as const) {
      const { states, requests } = run([answer]);
      expect(requests).toHaveLength(1);
      expect(states.slice(-3)).toEqual(['Look', 'IsPublished', 'Restored']);
      expect(endOf([answer], { isPublished: false })).toBe('NotPublished');
    }
  });

  it('repeats what promises that the content was not modified, up to six times', () => {
    for (const answer of [502, 429]) {
      expect(statusesTo('later')).toContain(answer);
      expect(run([answer, answer, 200])).toMatchObject({
        states: ['EnsureToken', 'HasToken', 'Restore', 'Restore', 'Restore', 'Restored'],
      });
      const { states, requests } = run([answer]);
      expect(states.at(-1)).toBe('Refused');
      expect(requests).toHaveLength(7);
    }
  });

  it('looks after an unknown outcome, even if earlier requests were repeated', () => {
    const { states, requests } = run([502, 504, 200]);

    expect(requests).toHaveLength(2);
    expect(states.at(-1)).toBe('Restored');
    expect(states).toContain('Look');
  });

  it('takes content that is published already as restored', () => {
    expect(endOf([409])).toBe('Restored');
    expect(endOf([409], { isPublished: false })).toBe('NotPublished');
  });

  it('ends at every other documented refusal, with one request', () => {
    const refusals = statusesTo('no', 'after_correction').filter(
      (status) => status !== 409 && status !== 401,
    );

    expect(refusals.length).toBeGreaterThan(5);
    for (const status of refusals) {
      const { states, requests } = run([status]);
      expect([status, states.at(-1), requests.length]).toEqual([status, 'Refused', 1]);
    }
  });

  it('may call the API for its tenant only, and its look may only read', () => {
    const policies = Object.fromEntries(
      synthesis.resources('AWS::IAM::Policy').map(({ logicalId, Properties }) => [logicalId, Properties]),
    );
    const textOf = (start: string) =>
      JSON.stringify(Object.entries(policies).find(([logicalId]) => logicalId.startsWith(start))![1]);

    expect(textOf('RestoreContentRole')).toContain('/v1/POST/tenants/eu-west-2_StagingAb/contents/*/restore');
    expect(textOf('RestoreContentRole')).not.toContain('secretsmanager:');
    expect(textOf('LookFunction')).toContain('Tokencontentapiread');
    expect(textOf('LookFunction')).not.toContain('Tokencontentapiwrite');
    expect(textOf('LookFunction')).not.toContain('execute-api');
  });
});
