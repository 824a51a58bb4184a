import { ANSWER_CASES } from './cases/answers';
import { REQUEST_TABLES } from './cases/requests';
import { Gateway } from './gateway';
import { defaultReadings } from '../../../local/api-gateway/readings';

let gateway: Gateway;

describe.each(REQUEST_TABLES)('an API $api', ({ routes, binaryMediaTypes = [], cases }) => {
  beforeAll(async () => {
    gateway = new Gateway();
    await gateway.serve({
      routes: Object.fromEntries(routes.map((route) => [route, {}])),
      api: { BinaryMediaTypes: binaryMediaTypes },
    });
  });
  afterAll(() => gateway.close());

  it.each(cases)('$send $headers $readings', async ({ send, readings, ...expected }) => {
    const [method, path] = send.split(' ') as [string, string];
    const { headers, body, event, headerNames = {}, answer = { status: 200 } } = expected;
    Object.assign(gateway.apis.readings, defaultReadings(), readings);
    gateway.events.length = 0;

    const reply = await gateway.fetch(`/${gateway.api.id}${path}`, { method, headers, body });

    expect(reply).toMatchObject(answer);
    const passed = reply.status === 200 ? [expect.objectContaining({ functionName: 'backend' })] : [];
    expect(gateway.events).toEqual(passed);
    for (const { event: got } of gateway.events) {
      expect(got).toMatchObject(event ?? {});
      const names = [got['headers'], got['multiValueHeaders']].map((each) => Object.keys(each as object));
      for (const [lower, seen] of Object.entries(headerNames))
        expect(names.map((all) => all.filter((name) => name.toLowerCase() === lower))).toEqual([seen, seen]);
    }
  });
});

const mediaTypes = [...new Set(ANSWER_CASES.map(({ binaryMediaTypes = [] }) => binaryMediaTypes.join()))];
describe.each(mediaTypes)('with the binary media types "%s", a function that returns', (types) => {
  let result: unknown;
  beforeAll(async () => {
    gateway = new Gateway(() => result as object);
    const BinaryMediaTypes = types === '' ? [] : types.split(',');
    await gateway.serve({ routes: { 'ANY /{proxy+}': {} }, api: { BinaryMediaTypes } });
  });
  afterAll(() => gateway.close());

  const cases = ANSWER_CASES.filter(({ binaryMediaTypes = [] }) => binaryMediaTypes.join() === types);
  it.each(cases)(
    '$what',
    async ({ accept, result: returned, status, text, bytes, headers = {}, absent = [] }) => {
      result = returned;

      const reply = await gateway.call('/test', { method: 'POST', headers: accept ? { accept } : {} });

      expect(reply.status).toBe(status);
      if (text !== undefined) expect(reply.text).toBe(text);
      if (bytes !== undefined) expect(reply.body.toString('base64')).toBe(bytes);
      const sent = reply.rawHeaders.flatMap((name, n, all) => (n % 2 === 0 ? [[name, all[n + 1]!]] : []));
      for (const [name, values] of Object.entries(headers))
        expect(sent.filter(([each]) => each === name).map(([, value]) => value)).toEqual(values);
      for (const name of absent)
        expect(sent).not.toContainEqual([expect.stringMatching(new RegExp(`^${name}$`, 'i')), 'sent-7']);
    },
  );
});
