import { addOperator, isAllowed, provisionSynthesis } from '../../../support/lib/provisioned';
import { type Synthesis, synthesisWith } from '../../../support/lib/synthesis';

const KEPT_DAYS = 731;
const usual = synthesisWith({ logRetentionDays: 30 });
const audited = synthesisWith({ logRetentionDays: 30, restoreApi: { auditRetentionDays: KEPT_DAYS } });

/** The log groups, by whether they are the restore function's. */
function groupsOf(synthesis: Synthesis) {
  const groups = synthesis.resources('AWS::Logs::LogGroup');
  const isOfRestore = ({ logicalId }: { logicalId: string }) => logicalId.startsWith('RestoreLogs');
  return { ofRestore: groups.filter(isOfRestore), others: groups.filter((group) => !isOfRestore(group)) };
}

describe('the log group of the restore function', () => {
  it('is kept like every other by default', () => {
    const { ofRestore, others } = groupsOf(usual);

    expect(ofRestore).toHaveLength(1);
    for (const group of [...ofRestore, ...others])
      expect(group).toMatchObject({ Properties: { RetentionInDays: 30 }, DeletionPolicy: 'Delete' });
  });

  it('is kept for restoreApi.auditRetentionDays, and outlives the stack; the others do not change', () => {
    const { ofRestore, others } = groupsOf(audited);

    const policies = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' };
    expect(ofRestore).toMatchObject([{ Properties: { RetentionInDays: KEPT_DAYS }, ...policies }]);
    expect(new Set(others.map(({ Properties }) => Properties.RetentionInDays))).toEqual(new Set([30]));
  });

  it('has its name in a parameter, and operators may search this group alone', () => {
    const { account } = provisionSynthesis(usual);
    const operator = addOperator(account);
    const group = account.parameters.get('/latchkey/staging/global/restore-log-group')?.value ?? 'none';
    const mayUse = (action: string, name: string) =>
      isAllowed(operator, action, {
        arn: `arn:aws:logs:${account.region}:${account.accountId}:log-group:${name}:log-stream:`,
        owner: account,
      });

    const restoreArn = account.parameters.get('/latchkey/staging/global/restore-arn')!.value;
    expect([...account.functions.values()].find(({ arn }) => arn === restoreArn)?.logGroupName).toBe(group);
    const searchable = [...account.logGroups.keys()].filter((name) => mayUse('logs:FilterLogEvents', name));
    expect(searchable).toEqual([group]);
    for (const action of ['logs:PutLogEvents', 'logs:DeleteLogGroup', 'logs:PutRetentionPolicy']) {
      expect([action, mayUse(action, group)]).toEqual([action, false]);
    }
  });

  it('has no parameter or query without a restore API', () => {
    const without = synthesisWith({ restoreApi: { enabled: false } });

    expect(without.resources('AWS::Logs::QueryDefinition')).toEqual([]);
    expect(JSON.stringify(without.resources('AWS::SSM::Parameter'))).not.toContain('restore-log-group');
    expect(JSON.stringify(without.resources('AWS::IAM::ManagedPolicy'))).not.toContain('logs:');
  });
});

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-querydefinition.html
test('a saved query of each deployment shows its restores', () => {
  const [query, ...others] = usual.properties('AWS::Logs::QueryDefinition');

  expect(others).toEqual([]);
  expect(query).toEqual({
    Name: 'latchkey/staging-global/restores',
    LogGroupNames: [{ Ref: expect.stringMatching(/^RestoreLogs/) as string }],
    QueryString: [
      'fields @timestamp, tenantId, contentId, code, status, scheme, caller, callerVersion, callerVersionId, authorRef, collaborationId, apiRequestId, traceId',
      'filter message = "restore answered"',
      'sort @timestamp desc',
      'limit 1000',
    ].join('\n| '),
  });
});
