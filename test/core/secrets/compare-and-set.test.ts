import { nextVersionId } from '../../../core/secrets/compare-and-set';

const SEEN = {
  secretArn: 'arn:aws:secretsmanager:eu-west-2:111122223333:secret:a-AbCdEf',
  versionId: 'v1',
  attempt: 0,
};
describe('the version id of the next write', () => {
  // PutSecretValue, ClientRequestToken: 32 to 64 characters
  test('is a UUID, the same for all writers that read the same version, in every release', () => {
    expect(nextVersionId(SEEN)).toBe('5515beeb-5ca6-d045-fb2e-eeaf220f442a');
    expect(nextVersionId({ ...SEEN, versionId: undefined })).toBe('eb518f75-9430-9020-f6e1-e456fb3d51b1');
  });

  test.each([
    ['another secret', { ...SEEN, secretArn: `${SEEN.secretArn}x` }],
    ['another version', { ...SEEN, versionId: 'v2' }],
    ['no version', { ...SEEN, versionId: undefined }],
    ['another attempt', { ...SEEN, attempt: 1 }],
    ['fields that run together', { ...SEEN, secretArn: `${SEEN.secretArn}v`, versionId: '1' }],
  ])('differs for %s', (_, other) => {
    expect(nextVersionId(other)).not.toBe(nextVersionId(SEEN));
  });
});
