import { parseSourceMap } from '../../../cli/import/source-map';

const parsed = (tenant: object) => parseSourceMap({ tenants: { one: tenant } });
const fieldsOf = (tenant: object) => {
  const result = parsed(tenant);
  return 'map' in result ? result.map.get('one')!.map(({ fields }) => fields) : result.faults;
};
const PARAMETER = { type: 'parameter', name: '/app/client' };

describe('the map of sources', () => {
  it('takes all fields from one JSON object, by their names there', () => {
    expect(
      fieldsOf({
        clientCredentials: { parameter: '/app/client', fields: { clientSecret: 'client_secret' } },
        apiKey: { secret: 'app/key', validUntil: '2027-03-31' },
      }),
    ).toEqual([
      {
        clientId: { place: PARAMETER, field: 'clientId' },
        clientSecret: { place: PARAMETER, field: 'client_secret' },
      },
      {
        apiKey: { place: { type: 'secret', name: 'app/key' }, field: 'apiKey' },
        validUntil: { literal: '2027-03-31' },
      },
    ]);
  });

  it('takes each field from a place of its own: the whole text, or a field of its JSON object', () => {
    expect(
      fieldsOf({
        clientCredentials: {
          clientId: { environment: 'CLIENT_ID' },
          clientSecret: { parameter: '/app/client', field: 'secret' },
        },
      }),
    ).toEqual([
      {
        clientId: { place: { type: 'environment', name: 'CLIENT_ID' } },
        clientSecret: { place: PARAMETER, field: 'secret' },
      },
    ]);
  });

  const PAIR = 'tenants.one.clientCredentials';
  it.each([
    [{}, 'tenants.one: found an object; allowed: clientCredentials, apiKey'],
    [
      { clientCredentials: {} },
      `${PAIR}: found an object; allowed: either one place for all fields, or a place for each: clientId, clientSecret`,
    ],
    [{ clientCredentials: { parameter: 'a', secret: 'b' } }, `${PAIR}: found an object; allowed: either`],
    [{ clientCredentials: { clientId: { environment: 'A' } } }, `${PAIR}: found an object; allowed: either`],
    [
      { clientCredentials: { parameter: 'a', clientId: { environment: 'A' } } },
      `${PAIR}: found an object; allowed: either`,
    ],
    [{ apiKey: { apiKey: { environment: 'A' } } }, 'tenants.one.apiKey: found an object; allowed: either'],
    [
      { clientCredentials: { environment: 'no name' } },
      `${PAIR}.environment: found a text; allowed: the name of an environment variable`,
    ],
    [
      { apiKey: { secret: 'a', validUntil: 'soon' } },
      'tenants.one.apiKey.validUntil: found a text; allowed: a time such as',
    ],
    [
      { clientCredentials: { clientid: {} } },
      `${PAIR}.clientid: found a field of this name; allowed: clientId`,
    ],
  ])('says what is wrong with %j', (tenant, fault) => {
    expect(parsed(tenant)).toEqual({
      faults: expect.arrayContaining([expect.stringContaining(fault)]) as unknown,
    });
  });

  it('never quotes what may be a misplaced secret', () => {
    const canary = 'Zx9canaryCanary!canary';
    const maps = [
      { tenants: { [canary]: {} } },
      { tenants: { one: { apiKey: canary } } },
      { tenants: { one: { [canary]: {} } } },
      { tenants: { one: { clientCredentials: { clientId: canary, clientSecret: canary } } } },
      { tenants: { one: { clientCredentials: { environment: canary } } } },
      { tenants: { one: { apiKey: { apiKey: { parameter: canary }, validUntil: canary } } } },
      { [canary]: 1 },
    ];

    for (const map of maps) {
      const result = parseSourceMap(map) as { faults: string[] };
      expect(result.faults.length).toBeGreaterThan(0);
      expect(result.faults.join('\n')).not.toContain(canary);
    }
  });
});
