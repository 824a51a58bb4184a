import { optionsOf } from '../../../lib/options/checked-options';
import { deploymentFileOf } from '../../../lib/options/compose-deployment-file';
import { configuration, type WrittenDeployment, written } from '../../support/lib/configuration';
import { faultsOf } from '../../support/lib/faults';

const SECRET = 'arn:aws:secretsmanager:eu-west-1:222233334444:secret:corporate/proxy-AbCdEf';
const KEY = 'arn:aws:kms:eu-west-1:222233334444:key/0f0f0f0f-1111-2222-3333-444444444444';
const ELSEWHERE = (arn: string) => arn.replace('eu-west-1', 'eu-west-2');
const URL_RULE =
  'an http or https URL with host and port alone, such as http://proxy.example.org:3128; its user and password belong in credentialsSecretArn';

const faultsOfProxy = (proxy: object) => faultsOf(written({ proxy: { url: 'http://proxy:3128', ...proxy } }));

describe('a proxy', () => {
  it.each(['https://proxy.example.org', 'http://10.0.0.1:8080/', 'http://[fd00::1]:3128'])(
    'may be %s',
    (url) => {
      expect(faultsOfProxy({ url })).toEqual([]);
    },
  );

  it('may have hosts without it', () => {
    const noProxy = ['*', 'example.org', '.example.org:8443', '10.0.0.0/8', '[fd00::1]:443', 'fd00::/8'];

    expect(faultsOfProxy({ noProxy, awsCalls: 'proxy' })).toEqual([]);
  });

  it.each([
    ['socks5://proxy:1080', '"socks5://proxy:1080"'],
    ['http://proxy:3128/path', '"http://proxy:3128/path"'],
    ['http://latchkey:canary@proxy:3128', '"http://…"'],
    ['http://proxy:99999', '"http://proxy:99999"'],
  ])('may not be %s, and a password is not shown', (url, found) => {
    expect(faultsOfProxy({ url })).toEqual([
      `deployments[0].proxy.url: found ${found}; allowed: ${URL_RULE}`,
    ]);
  });

  it.each(
    Object.entries({
      'awsCalls: found "proxy"; allowed: direct together with credentialsSecretArn, because the functions read the credentials from AWS first':
        { credentialsSecretArn: SECRET, awsCalls: 'proxy' },
      [`credentialsKmsKeyArn: found "${KEY}"; allowed: nothing without credentialsSecretArn`]: {
        credentialsKmsKeyArn: KEY,
      },
      [`credentialsSecretArn: found "${ELSEWHERE(SECRET)}"; allowed: a secret in eu-west-1, the region of the deployment`]:
        { credentialsSecretArn: ELSEWHERE(SECRET) },
      [`credentialsKmsKeyArn: found "${ELSEWHERE(KEY)}"; allowed: a key in eu-west-1, the region of the deployment`]:
        { credentialsSecretArn: SECRET, credentialsKmsKeyArn: ELSEWHERE(KEY) },
      'credentialsKmsKeyArn: found nothing; allowed: the key of the secret, because 222233334444 cannot use the AWS managed key of 333344445555':
        { credentialsSecretArn: SECRET.replace('222233334444', '333344445555') },
      'noProxy[0]: found "a,b"; allowed: a host, a suffix such as .example.org, an address or a CIDR range, with an optional port':
        { noProxy: ['a,b'] },
    }),
  )('may not be: %s', (fault, proxy) => {
    expect(faultsOfProxy(proxy)).toEqual([`deployments[0].proxy.${fault}`]);
  });

  it('of a local configuration is on loopback', () => {
    const local = { ...written({ proxy: { url: 'http://proxy:3128' } }), local: true };

    expect(faultsOf(local)).toContain(
      'deployments[0].proxy.url: found "http://proxy:3128"; allowed: a proxy on loopback, because the configuration is local',
    );
  });
});

describe('certificate authorities', () => {
  it.each([
    [{ parameterName: 'a b' }, '.parameterName: found "a b"'],
    [{ parameterName: '/a', file: 'b' }, ''],
    ['ca.pem', ': found "ca.pem"'],
  ])('may not be %j', (certificateAuthorities, fault) => {
    expect(faultsOf(written({ certificateAuthorities: certificateAuthorities as never }))).toEqual([
      expect.stringContaining(`deployments[0].certificateAuthorities${fault}`),
    ]);
  });
});

describe('the deployment file', () => {
  const fileWith = (deployment: Partial<WrittenDeployment>) => {
    const all = configuration(deployment);
    return deploymentFileOf(optionsOf(all, all.deployments[0]!));
  };

  it('says how calls leave, without the key of the credentials', () => {
    const proxy = { url: 'http://proxy:3128', credentialsSecretArn: SECRET, credentialsKmsKeyArn: KEY };

    expect(fileWith({ proxy, certificateAuthorities: { parameterName: '/ca' } }).network).toEqual({
      proxy: { url: 'http://proxy:3128', credentialsSecretArn: SECRET, noProxy: [], awsCalls: 'direct' },
      certificateAuthorities: '/ca',
    });
  });

  it('says nothing about it without these options, and with a file of authorities', () => {
    expect(fileWith({})).not.toHaveProperty('network');
    expect(fileWith({ certificateAuthorities: { file: 'ca.pem' } })).not.toHaveProperty('network');
  });
});
