import { gatewayProblems } from '../../../core/restore/gateway-problems';
import { OUTCOMES, type Outcome } from '../../../core/restore/restore-outcomes';
import { type Synthesis } from '../../support/lib/synthesis';
import { InstalledExample } from '../../support/package/installed-example';

/** The parts of the Amazon States Language that the example uses. https://states-language.net/spec.html */
interface State {
  Next?: string;
  Parameters?: object;
  Retry?: { ErrorEquals: string[]; MaxAttempts: number }[];
  Catch?: { ErrorEquals: string[]; Next: string }[];
  Choices?: { Variable: string; BooleanEquals: boolean; Next: string }[];
  Default?: string;
}

describe('the state machine of the example step-functions', () => {
  const example = new InstalledExample('step-functions');
  let synthesis: Synthesis;
  let states: Record<string, State>;

  beforeAll(async () => {
    synthesis = await example.synthesis();
    const { DefinitionString } = synthesis.only('AWS::StepFunctions::StateMachine').Properties;
    const [, parts] = (DefinitionString as { 'Fn::Join': [string, unknown[]] })['Fn::Join'];
    const text = parts.map((part) => (typeof part === 'string' ? part : 'reference')).join('');
    ({ States: states } = JSON.parse(text) as { States: typeof states });
  });
  afterAll(() => example.remove());

  /** How often an answer of the restore API is repeated, and the state that follows. */
  function after(answer: number | 'SdkClientException') {
    const matches = ({ ErrorEquals }: { ErrorEquals: string[] }) =>
      ErrorEquals.some((error) => error === 'States.ALL' || error === `ApiGateway.${answer}`);
    const { Retry, Catch } = states.Restore!;
    return { repeats: Retry!.find(matches)?.MaxAttempts ?? 0, next: Catch!.find(matches)?.Next };
  }

  it('has a token renewed, and sends one signed request', () => {
    const { EnsureToken, HasToken, Restore } = states;

    expect(EnsureToken).toMatchObject({
      Next: 'HasToken',
      Parameters: {
        action: 'ensure',
        tenantId: 'eu-west-2_StagingAb',
        interface: 'content',
        scope: 'api/write',
      },
    });
    expect(HasToken).toMatchObject({
      Choices: [{ Variable: '$.token.ok', BooleanEquals: true, Next: 'Restore' }],
      Default: 'NoToken',
    });
    expect(Restore).toMatchObject({
      Next: 'Restored',
      Parameters: {
        Method: 'POST',
        'Path.$': "States.Format('tenants/eu-west-2_StagingAb/contents/{}/restore', $.contentId)",
        RequestBody: { 'authorRef.$': '$.authorRef' },
        AuthType: 'IAM_ROLE',
      },
    });
  });

  it('takes content that a look finds published as restored', () => {
    expect(states.Look!.Next).toBe('IsPublished');
    expect(states.IsPublished).toMatchObject({
      Choices: [{ Variable: '$.look.isPublished', BooleanEquals: true, Next: 'Restored' }],
      Default: 'NotPublished',
    });
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
    for (const answer of [...unknown, 409, 'SdkClientException'] as const)
      expect([answer, after(answer)]).toEqual([answer, { repeats: 0, next: 'Look' }]);
  });

  it('repeats what promises that the content was not modified, up to six times', () => {
    for (const answer of [502, 429]) {
      expect(statusesTo('later')).toContain(answer);
      expect(after(answer)).toEqual({ repeats: 6, next: 'Refused' });
    }
  });

  it('ends at every other documented refusal, with one request', () => {
    const refusals = statusesTo('no', 'after_correction').filter(
      (status) => status !== 409 && status !== 401,
    );

    expect(refusals.length).toBeGreaterThan(5);
    for (const status of refusals)
      expect([status, after(status)]).toEqual([status, { repeats: 0, next: 'Refused' }]);
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
