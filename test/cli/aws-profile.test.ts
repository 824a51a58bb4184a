import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { chooseProfile, requireProfile } from '../../cli/aws-profile';
import { newFolder } from '../support/new-folder';

const CONFIGURED = { name: 'production', source: 'deployments[0].awsProfile' };
const OF_FLAG = { name: 'flag', source: '--profile' };
const OF_VARIABLE = { name: 'variable', source: 'AWS_PROFILE' };
const ALL = { AWS_PROFILE: 'variable', AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE' };

describe('the AWS profile of a deployment', () => {
  it.each([
    ['--profile, before all others', 'flag', ALL, OF_FLAG],
    ['AWS_PROFILE, before keys in the environment as in the SDK', undefined, ALL, OF_VARIABLE],
    ['none, with keys in the environment', undefined, { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE' }, undefined],
    ['none, with a web identity', undefined, { AWS_WEB_IDENTITY_TOKEN_FILE: '/var/run/token' }, undefined],
    ['none, in a container of ECS', undefined, { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2' }, undefined],
    ['none, in CloudShell or EKS', undefined, { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://x' }, undefined],
    ['its awsProfile', undefined, { AWS_REGION: 'eu-west-1' }, CONFIGURED],
    [
      'its awsProfile, with empty variables',
      undefined,
      { AWS_PROFILE: '', AWS_ACCESS_KEY_ID: '' },
      CONFIGURED,
    ],
  ])('is %s', (_, flag, env, chosen) => {
    expect(chooseProfile(flag, env, CONFIGURED)).toEqual(chosen);
  });

  it('is none if nothing names one', () => {
    expect(chooseProfile(undefined, {}, undefined)).toBeUndefined();
  });
});

describe('a profile', () => {
  const folder = newFolder();
  beforeEach(() => {
    const [config, credentials] = [join(folder, 'config'), join(folder, 'credentials')];
    jest.replaceProperty(process, 'env', {
      ...process.env,
      AWS_CONFIG_FILE: config,
      AWS_SHARED_CREDENTIALS_FILE: credentials,
    });
    writeFileSync(
      config,
      '[default]\nregion = eu-west-1\n[profile staging]\nsso_session = acme\n' +
        '[sso-session acme]\nsso_region = eu-west-1\n[services local]\nsts =\n  endpoint_url = http://x\n',
    );
    writeFileSync(credentials, '[production]\naws_access_key_id = AKIAEXAMPLE\n');
  });
  afterEach(() => jest.restoreAllMocks());

  it.each(['default', 'staging', 'production'])('of either file is accepted: %s', async (name) => {
    await expect(requireProfile({ name, source: '--profile' })).resolves.toBeUndefined();
  });

  it.each([
    ['deployments[0].awsProfile', 'acme', 'acme'],
    ['AWS_PROFILE', 'sso-session.acme', 'sso-session.acme'],
    ['--profile', 'prod', 'prod'],
    ['--profile', 'may-be-a-secret-in-the-wrong-place', 'something else'],
  ])('that does not exist is refused with those that do: %s %s', async (source, name, shown) => {
    await expect(requireProfile({ name, source })).rejects.toMatchObject({
      exitCode: 2,
      message: `${source}: found ${shown}; allowed: a profile of your AWS configuration files: default, staging, production`,
    });
  });

  it('that does not exist is refused if there is none at all', async () => {
    process.env.AWS_CONFIG_FILE = join(folder, 'no-config');
    process.env.AWS_SHARED_CREDENTIALS_FILE = join(folder, 'no-credentials');

    await expect(requireProfile({ name: 'prod', source: 'AWS_PROFILE' })).rejects.toMatchObject({
      message: 'AWS_PROFILE: found prod; allowed: a profile of your AWS configuration files, which have none',
    });
  });
});
