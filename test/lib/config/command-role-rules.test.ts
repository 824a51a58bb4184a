import { ACCOUNT_ID, type WrittenDeployment, written } from '../../support/lib/configuration';
import { faultsOf } from '../../support/lib/faults';

describe('the role of the command', () => {
  const ROLE = `arn:aws:iam::${ACCOUNT_ID}:role/operators`;
  const MFA = 'arn:aws:iam::444455556666:mfa/jo';

  it.each<[string, Partial<WrittenDeployment>]>([
    ['alone', { roleArn: ROLE }],
    [
      'with a path, MFA of another account and an external id',
      {
        roleArn: ROLE.replace('role/', 'role/teams/learning/'),
        mfaSerial: MFA,
        externalId: 'learning:1',
      },
    ],
    ['with the serial number of a device', { roleArn: ROLE, mfaSerial: 'GAHT12345678' }],
    [
      'without an account in the configuration',
      { account: undefined, roleArn: ROLE.replace(/\d{12}/, '999900001111') },
    ],
  ])('is accepted %s', (_, deployment) => {
    expect(faultsOf(written(deployment))).toEqual([]);
  });

  it.each<[string, Partial<WrittenDeployment>, string]>([
    [
      'of another account',
      { roleArn: ROLE.replace(ACCOUNT_ID, '999900001111') },
      `roleArn: found "arn:aws:iam::999900001111:role/operators"; allowed: a role of ${ACCOUNT_ID}, the deployment’s account`,
    ],
    [
      'that is a user',
      { roleArn: MFA },
      `roleArn: found "${MFA}"; allowed: the ARN of a role, such as arn:aws:iam::111122223333:role/latchkey-operators`,
    ],
    ['that only has MFA', { mfaSerial: MFA }, `mfaSerial: found "${MFA}"; allowed: nothing without roleArn`],
    [
      'that only has an external id',
      { externalId: 'learning' },
      'externalId: found "learning"; allowed: nothing without roleArn',
    ],
    [
      'with MFA by name',
      { roleArn: ROLE, mfaSerial: 'my phone' },
      'mfaSerial: found "my phone"; allowed: the ARN or serial number of an MFA device, such as arn:aws:iam::111122223333:mfa/your-name',
    ],
    [
      'with an external id of one letter',
      { roleArn: ROLE, externalId: 'x' },
      'externalId: found "x"; allowed: 2–1,224 letters, digits and +=,.@:/-_',
    ],
  ])('is refused %s', (_, deployment, fault) => {
    expect(faultsOf(written(deployment))).toEqual([`deployments[0].${fault}`]);
  });

  it('is refused in a local configuration, which has no account', () => {
    expect(faultsOf({ ...written({ roleArn: ROLE }), local: true })).toContain(
      `deployments[0].roleArn: found "${ROLE}"; allowed: nothing: a local configuration is never deployed to an account`,
    );
  });
});
