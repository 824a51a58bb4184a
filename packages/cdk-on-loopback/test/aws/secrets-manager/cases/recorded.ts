import { KEY_ARN } from '../../../../src/testing/local-aws';

/**
 * Sequences of calls with the answers that AWS gave. In inputs and answers, `$name` stands for a value that the first
 * answer with it sets; `<date>` is a number of seconds, `<day>` one without a time of day. An answer has exactly these
 * members; an error is its code, and its message if that was recorded, too. A `ClientRequestToken` is added to the calls
 * to which SDKs add one, unless `raw`.
 */
export interface Step {
  call: string;
  input?: object;
  raw?: true;
  answer?: object;
  error?: string | [code: string, message: string];
}

interface Sequence {
  title: string;
  source: string;
  steps: Step[];
}

/** Recorded on AWS by LocalStack: the test with this name and its snapshot. */
const localStack = (test: string) =>
  `https://github.com/localstack/localstack/blob/main/tests/aws/services/secretsmanager/test_secretsmanager.snapshot.json (${test})`;
/** Verified on AWS by moto: the test with this name. */
const moto = (file: string, test: string) =>
  `https://github.com/getmoto/moto/blob/master/tests/test_secretsmanager/${file}.py (${test})`;
const api = (page: string) =>
  `https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_${page}.html`;

const SecretId = 's';
const SECRET = { ARN: '$arn', Name: 's' };
const DEFAULT_KEY = ['DefaultEncryptionKey'];
const INVALID_NAME: [code: string, message: string] = [
  'ValidationException',
  'Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
];
const NO_TOKEN = 'You must provide a ClientRequestToken value. We recommend a UUID-type value.';
const NOT_FOUND: [code: string, message: string] = [
  'ResourceNotFoundException',
  "Secrets Manager can't find the specified secret.",
];
const DELETED: [code: string, message: string] = [
  'InvalidRequestException',
  "You can't perform this operation on the secret because it was marked for deletion.",
];

const create = (version: string, value: string): Step => ({
  call: 'CreateSecret',
  input: { Name: 's', SecretString: value },
  answer: { ...SECRET, VersionId: version },
});
const put = (version: string, value: string, ...labels: string[]): Step => ({
  call: 'PutSecretValue',
  input: { SecretId, SecretString: value, ...(labels.length > 0 ? { VersionStages: labels } : {}) },
  answer: {
    ...SECRET,
    VersionId: version,
    VersionStages: labels.length > 0 ? labels.sort() : ['AWSCURRENT'],
  },
});
const update = (change: object, version?: string): Step => ({
  call: 'UpdateSecret',
  input: { SecretId, ...change },
  answer: version === undefined ? SECRET : { ...SECRET, VersionId: version },
});
const move = (from: string, to: string): Step => ({
  call: 'UpdateSecretVersionStage',
  input: { SecretId, VersionStage: 'AWSCURRENT', RemoveFromVersionId: from, MoveToVersionId: to },
  answer: SECRET,
});
const read = (version: string, value: string, ...labels: string[]): Step => ({
  call: 'GetSecretValue',
  input: { SecretId },
  answer: {
    ...SECRET,
    VersionId: version,
    SecretString: value,
    VersionStages: labels,
    CreatedDate: '<date>',
  },
});
interface ListedVersion {
  id: string;
  labels?: string[];
  isRead?: boolean;
  keys?: string[];
}
const refused = (call: string, input: object, code: string, message?: string): Step => ({
  call,
  input,
  error: message === undefined ? code : [code, message],
});
const versions = (listed: ListedVersion[], input: object = {}): Step => ({
  call: 'ListSecretVersionIds',
  input: { SecretId, ...input },
  answer: {
    ...SECRET,
    Versions: listed.map(({ id, labels, isRead, keys = DEFAULT_KEY }) => ({
      VersionId: id,
      CreatedDate: '<date>',
      KmsKeyIds: keys,
      ...(labels ? { VersionStages: labels } : {}),
      ...(isRead ? { LastAccessedDate: '<day>' } : {}),
    })),
  },
});
const described = (members: object): Step => ({
  call: 'DescribeSecret',
  input: { SecretId },
  answer: { ...SECRET, CreatedDate: '<date>', LastChangedDate: '<date>', ...members },
});
const named = (Name: string): Step => ({ call: 'CreateSecret', input: { Name, SecretString: 's' } });
const found = (filters: [key: string, ...values: string[]][], ...names: string[]): Step => ({
  call: 'ListSecrets',
  input: { Filters: filters.map(([Key, ...Values]) => ({ Key, Values })) },
  answer: { names },
});
const tagged = (...tags: string[]) => tags.map((Key) => ({ Key, Value: 'x' }));

export const SEQUENCES: readonly Sequence[] = [
  ...['Valid/_+=.@-Name', 'Valid/_+=.@-Name-a1b2', 'Valid/_+=.@-Name-a1b2c3-'].map((Name) => ({
    title: `creates, reads and updates ${Name}`,
    source: localStack('test_create_and_update_secret'),
    steps: [
      {
        call: 'CreateSecret',
        input: { Name, SecretString: 'my_secret', Description: 'text' },
        answer: { ARN: '$arn', Name, VersionId: '$v1' },
      },
      {
        call: 'GetSecretValue',
        input: { SecretId: '$arn' },
        answer: {
          ARN: '$arn',
          Name,
          VersionId: '$v1',
          SecretString: 'my_secret',
          VersionStages: ['AWSCURRENT'],
          CreatedDate: '<date>',
        },
      },
      {
        call: 'DescribeSecret',
        input: { SecretId: Name },
        answer: {
          ARN: '$arn',
          Name,
          Description: 'text',
          CreatedDate: '<date>',
          LastChangedDate: '<date>',
          LastAccessedDate: '<day>',
          VersionIdsToStages: { $v1: ['AWSCURRENT'] },
        },
      },
      {
        call: 'UpdateSecret',
        input: { SecretId: '$arn', SecretString: 'test123', Description: 'd1' },
        answer: { ARN: '$arn', Name, VersionId: '$v2' },
      },
      {
        call: 'DeleteSecret',
        input: { SecretId: Name, ForceDeleteWithoutRecovery: true },
        answer: { ARN: '$arn', Name, DeletionDate: '<date>' },
      },
    ],
  })),
  {
    title: 'an empty secret has neither version, labels, description nor tags',
    source: localStack('test_create_secret_version_from_empty_secret, test_secret_version_not_found'),
    steps: [
      { call: 'CreateSecret', input: { Name: 's', Description: '' }, answer: SECRET },
      described({}),
      refused(
        'GetSecretValue',
        { SecretId },
        'ResourceNotFoundException',
        "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT",
      ),
      put('$v1', 'x'),
    ],
  },
  {
    title: 'tags are shown',
    source: localStack('test_secret_tags'),
    steps: [
      { call: 'CreateSecret', input: { Name: 's' }, answer: SECRET },
      { call: 'TagResource', input: { SecretId, Tags: tagged('tag1', 'tag2') } },
      described({ Tags: tagged('tag1', 'tag2') }),
    ],
  },
  ...(
    [
      ['CreateSecret', { Name: 'missing', SecretString: 'x' }, 'InvalidRequestException'],
      ['UpdateSecret', { SecretId: 'missing', SecretString: 'x' }, 'InvalidRequestException'],
      ['PutSecretValue', { SecretId: 'missing', SecretString: 'x' }, 'InvalidRequestException'],
      ['RotateSecret', { SecretId: 'missing' }, 'InvalidParameterException'],
    ] as const
  ).map(([call, input, code]) => ({
    title: `${call} without a token`,
    source: localStack('test_no_client_request_token'),
    steps: [{ ...refused(call, input, code, NO_TOKEN), raw: true as const }],
  })),
  ...['Inv Name', ' Inv Name', ' Inv*Name? ', ' Inv *?!]Name\\-'].map((name) => ({
    title: `the name ${JSON.stringify(name)} is invalid in every operation`,
    source: localStack('test_invalid_secret_name'),
    steps: [
      refused('CreateSecret', { Name: name, SecretString: 'x' }, ...INVALID_NAME),
      ...Object.entries({
        DeleteSecret: { ForceDeleteWithoutRecovery: true },
        DescribeSecret: {},
        GetSecretValue: {},
        ListSecretVersionIds: { IncludeDeprecated: true },
        PutSecretValue: { SecretString: 'x' },
        TagResource: { Tags: tagged('a') },
        UpdateSecret: { Description: 'x' },
      }).map(([call, more]) => refused(call, { SecretId: name, ...more }, ...INVALID_NAME)),
    ],
  })),
  {
    title: 'the forced deletion of an unknown secret succeeds, any other is refused',
    source: `${localStack('test_delete_non_existent_secret_returns_as_if_secret_exists')}, ${api('DeleteSecret')}`,
    steps: [
      {
        call: 'DeleteSecret',
        input: { SecretId, ForceDeleteWithoutRecovery: true },
        answer: { ...SECRET, DeletionDate: '<date>' },
      },
      refused('DeleteSecret', { SecretId }, ...NOT_FOUND),
      refused('ListSecretVersionIds', { SecretId }, ...NOT_FOUND),
    ],
  },
  {
    title: 'a name stays taken until its secret is gone',
    source: localStack(
      'test_exp_raised_on_creation_of_secret_scheduled_for_deletion, test_force_delete_deleted_secret',
    ),
    steps: [
      create('$v1', 'x'),
      {
        call: 'DeleteSecret',
        input: { SecretId, RecoveryWindowInDays: 7 },
        answer: { ...SECRET, DeletionDate: '<date>' },
      },
      refused(
        'CreateSecret',
        { Name: 's', SecretString: 'x' },
        'InvalidRequestException',
        "You can't create this secret because a secret with this name is already scheduled for deletion.",
      ),
      described({ DeletedDate: '<date>', VersionIdsToStages: { $v1: ['AWSCURRENT'] } }),
      refused('TagResource', { SecretId, Tags: tagged('a') }, ...DELETED),
      { call: 'DeleteSecret', input: { SecretId: '$arn', ForceDeleteWithoutRecovery: true } },
      {
        call: 'CreateSecret',
        input: { Name: 's', SecretString: 'x' },
        answer: { ARN: '$arn2', Name: 's', VersionId: '$v2' },
      },
    ],
  },
  {
    title: 'a repeated token creates nothing with the same value, and fails with another',
    source: moto('test_secretsmanager', 'test_create_duplicate_secret_with_same_token and others'),
    steps: [
      create('$v1', 'Hello'),
      refused(
        'CreateSecret',
        { Name: 's', SecretString: 'Hello' },
        'ResourceExistsException',
        'The operation failed because the secret s already exists.',
      ),
      {
        call: 'CreateSecret',
        input: { Name: 's', SecretString: 'Hello', ClientRequestToken: '$v1' },
        answer: { ...SECRET, VersionId: '$v1' },
      },
      ...Object.entries({ CreateSecret: 'Name', PutSecretValue: 'SecretId', UpdateSecret: 'SecretId' }).map(
        ([call, id]) =>
          refused(
            call,
            { [id]: 's', SecretString: 'Hi', ClientRequestToken: '$v1' },
            'ResourceExistsException',
            "You can't use ClientRequestToken $v1 because that value is already in use for a version of secret $arn.",
          ),
      ),
      update({ SecretString: 'Hello', ClientRequestToken: '$v1' }, '$v1'),
    ],
  },
  {
    title: 'UpdateSecret changes what it is given, and names a version only with a value',
    source: localStack('test_update_secret_description'),
    steps: [
      create('$v1', 'a'),
      update({ Description: 'one' }),
      described({ Description: 'one', VersionIdsToStages: { $v1: ['AWSCURRENT'] } }),
      update({ SecretString: 'b', Description: 'two' }, '$v2'),
      update({}),
      described({ Description: 'two', VersionIdsToStages: { $v1: ['AWSPREVIOUS'], $v2: ['AWSCURRENT'] } }),
    ],
  },
  {
    title:
      'an empty KmsKeyId is the default key, which re-encrypts the current version and keeps the former key',
    source: `${api('UpdateSecret')}, https://docs.aws.amazon.com/secretsmanager/latest/userguide/manage_update-encryption-key.html`,
    steps: [
      { ...create('$v1', 'a'), input: { Name: 's', SecretString: 'a', KmsKeyId: KEY_ARN } },
      described({ KmsKeyId: KEY_ARN, VersionIdsToStages: { $v1: ['AWSCURRENT'] } }),
      update({ KmsKeyId: '' }),
      described({ VersionIdsToStages: { $v1: ['AWSCURRENT'] } }),
      versions([{ id: '$v1', labels: ['AWSCURRENT'], keys: [...DEFAULT_KEY, KEY_ARN] }]),
    ],
  },
  {
    title: 'labels are sorted, and the value of AWSCURRENT stays while others move',
    source: localStack('test_put_secret_value_with_version_stages'),
    steps: [
      create('$v1', 'v0'),
      put('$v2', 'v1', 'SAMPLESTAGE1', 'SAMPLESTAGE0'),
      read('$v1', 'v0', 'AWSCURRENT'),
      put('$v3', 'v2', 'SAMPLESTAGE1', 'SAMPLESTAGE0'),
      put('$v4', 'v3', 'AWSPENDING'),
      read('$v1', 'v0', 'AWSCURRENT'),
      put('$v5', 'v4'),
      read('$v5', 'v4', 'AWSCURRENT'),
    ],
  },
  {
    title: 'deprecated versions are listed without labels, if they are asked for',
    source: localStack('test_deprecated_secret_version_stage'),
    steps: [
      create('$v1', 'a'),
      put('$v2', 'b'),
      put('$v3', 'c'),
      versions([
        { id: '$v2', labels: ['AWSPREVIOUS'] },
        { id: '$v3', labels: ['AWSCURRENT'] },
      ]),
      versions(
        [{ id: '$v1' }, { id: '$v2', labels: ['AWSPREVIOUS'] }, { id: '$v3', labels: ['AWSCURRENT'] }],
        { IncludeDeprecated: true },
      ),
    ],
  },
  {
    title: 'a new current value takes AWSPENDING from the version that was current',
    source: localStack('test_update_secret_version_stages_current_pending'),
    steps: [
      create('$v1', 'a'),
      put('$v2', 'b', 'AWSPENDING'),
      move('$v1', '$v2'),
      versions([
        { id: '$v1', labels: ['AWSPREVIOUS'] },
        { id: '$v2', labels: ['AWSCURRENT', 'AWSPENDING'] },
      ]),
      put('$v3', 'c'),
      versions([
        { id: '$v2', labels: ['AWSPREVIOUS'] },
        { id: '$v3', labels: ['AWSCURRENT'] },
      ]),
    ],
  },
  {
    title: 'labels of our own stay where they are when AWSCURRENT moves',
    source: localStack('test_update_secret_version_stages_current_pending_cycle_custom_stages_2'),
    steps: [
      create('$v0', '0'),
      put('$v1', '1', 'AWSCURRENT', 'PUT0'),
      put('$v2', '2', 'AWSPENDING', 'PUT1'),
      read('$v1', '1', 'AWSCURRENT', 'PUT0'),
      move('$v1', '$v2'),
      read('$v2', '2', 'AWSCURRENT', 'AWSPENDING', 'PUT1'),
      put('$v3', '3', 'AWSPENDING', 'PUT2'),
      move('$v2', '$v3'),
      versions([
        { id: '$v1', labels: ['PUT0'], isRead: true },
        { id: '$v2', labels: ['AWSPREVIOUS', 'PUT1'], isRead: true },
        { id: '$v3', labels: ['AWSCURRENT', 'AWSPENDING', 'PUT2'] },
      ]),
    ],
  },
  {
    title: 'labels of our own leave the versions that had them',
    source: localStack('test_non_versioning_version_stages_no_replacement'),
    steps: [
      create('$v1', 'a'),
      put('$v2', 'b', 'one', 'two', 'three'),
      put('$v3', 'c', 'one', 'two', 'four'),
      versions([
        { id: '$v1', labels: ['AWSCURRENT'] },
        { id: '$v2', labels: ['three'] },
        { id: '$v3', labels: ['four', 'one', 'two'] },
      ]),
    ],
  },
  {
    title: 'UpdateSecretVersionStage without the version that has AWSCURRENT, or without a target',
    source: `${moto('test_secretsmanager', 'test_update_secret_version_stage_dont_specify_current_stage')}, https://github.com/hashicorp/terraform-provider-aws/blob/main/internal/service/secretsmanager/secret_version.go`,
    steps: [
      create('$v1', 'a'),
      put('$v2', 'b', 'AWSPENDING'),
      refused(
        'UpdateSecretVersionStage',
        { SecretId, VersionStage: 'AWSCURRENT', MoveToVersionId: '$v2' },
        'InvalidParameterException',
        "The parameter RemoveFromVersionId can't be empty. Staging label AWSCURRENT is currently attached to version " +
          '$v1, so you must explicitly reference that version in RemoveFromVersionId.',
      ),
      refused(
        'UpdateSecretVersionStage',
        { SecretId, VersionStage: 'AWSCURRENT', RemoveFromVersionId: '$v1' },
        'InvalidParameterException',
        "You can only move staging label AWSCURRENT to a different secret version. It can't be completely removed.",
      ),
    ],
  },
  {
    title: 'a version without the requested label',
    source: localStack('test_get_secret_value_errors'),
    steps: [
      create('$v1', 'a'),
      refused(
        'GetSecretValue',
        { SecretId, VersionId: '$v1', VersionStage: 'AWSPREVIOUS' },
        'InvalidRequestException',
        'You provided a VersionStage that is not associated to the provided VersionId.',
      ),
    ],
  },
  {
    title: 'bytes are base64 on the wire',
    source: localStack('test_get_secret_value'),
    steps: [
      { call: 'CreateSecret', input: { Name: 's', SecretBinary: 'Zm9vdGVzdA==' } },
      {
        call: 'GetSecretValue',
        input: { SecretId },
        answer: {
          ...SECRET,
          VersionId: '$v1',
          SecretBinary: 'Zm9vdGVzdA==',
          VersionStages: ['AWSCURRENT'],
          CreatedDate: '<date>',
        },
      },
    ],
  },
  {
    title: 'a value of more than 65,536 bytes, and two values',
    source:
      'https://github.com/kubernetes-sigs/cluster-api-provider-aws/issues/1531, https://github.com/aws/aws-sdk-java/issues/1556',
    steps: [
      refused(
        'CreateSecret',
        { Name: 's', SecretString: 'ü'.repeat(32_768) + 'x' },
        'ValidationException',
        "1 validation error detected: Value at 'secretString' failed to satisfy constraint: " +
          'Member must have length less than or equal to 65536',
      ),
      refused(
        'CreateSecret',
        { Name: 's', SecretBinary: Buffer.alloc(65_537).toString('base64') },
        'ValidationException',
        "1 validation error detected: Value at 'secretBinary' failed to satisfy constraint: " +
          'Member must have length less than or equal to 65536',
      ),
      refused(
        'CreateSecret',
        { Name: 's', SecretString: 'x', SecretBinary: 'eA==' },
        'InvalidParameterException',
        "You can't specify both a binary secret value and a string secret value in the same secret.",
      ),
    ],
  },
  {
    title: 'rotation without a function changes nothing',
    source: localStack(
      'test_first_rotate_secret_with_missing_lambda_arn, test_rotate_secret_invalid_lambda_arn',
    ),
    steps: [
      create('$v1', 'a'),
      refused(
        'RotateSecret',
        { SecretId, RotationRules: { AutomaticallyAfterDays: 1 } },
        'InvalidRequestException',
        'No Lambda rotation function ARN is associated with this secret.',
      ),
      refused(
        'RotateSecret',
        {
          SecretId,
          RotationLambdaARN: 'arn:aws:lambda:eu-west-1:111111111111:function:missing',
          RotationRules: { AutomaticallyAfterDays: 1 },
        },
        'AccessDeniedException',
        'Secrets Manager cannot invoke the specified Lambda function. Ensure that the function policy grants access ' +
          'to the principal secretsmanager.amazonaws.com.',
      ),
      described({ VersionIdsToStages: { $v1: ['AWSCURRENT'] } }),
    ],
  },
  {
    title: 'ListSecrets filters by the beginnings of names',
    source: localStack('test_list_secrets_filtering'),
    steps: [
      named('testing1/one'),
      named('/testing2/two'),
      named('/testing4/four'),
      found([['name', '/']], '/testing2/two', '/testing4/four'),
      found([['name', 'testing1 one']]),
      refused('ListSecrets', { Filters: [{ Key: 'invalid', Values: ['x'] }] }, 'ValidationException'),
      refused('ListSecrets', { NextToken: 'x' }, 'InvalidNextTokenException'),
    ],
  },
  {
    title: 'BatchGetSecretValue reads what it can, and says what it cannot',
    source: api('BatchGetSecretValue'),
    steps: [
      create('$v1', 'a'),
      {
        call: 'BatchGetSecretValue',
        input: { SecretIdList: ['s', 'missing'] },
        answer: {
          SecretValues: [
            {
              ...SECRET,
              VersionId: '$v1',
              SecretString: 'a',
              VersionStages: ['AWSCURRENT'],
              CreatedDate: '<date>',
            },
          ],
          Errors: [{ SecretId: 'missing', ErrorCode: NOT_FOUND[0], Message: NOT_FOUND[1] }],
        },
      },
      refused('BatchGetSecretValue', {}, 'InvalidParameterException'),
    ],
  },
];
