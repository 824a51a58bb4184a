import { Agent } from 'node:https';
import { ALL_CHECKS } from '../../conformance/checks/all-checks';
import { type HttpAnswer, type HttpRequest, sendOverHttps } from '../../conformance/https';
import { runChecks } from '../../conformance/run';
import { examineSandbox } from '../../conformance/sandbox-tenant';
import { type ServedSandbox, serveSandbox } from './served-sandbox';

const PATIENCE_MS = 60_000;

let sandbox: ServedSandbox;
let agent: Agent;

beforeAll(async () => {
  sandbox = await serveSandbox();
  agent = new Agent({ ca: sandbox.caCertificate, keepAlive: true });
});
afterAll(async () => {
  agent.destroy();
  await sandbox.close();
});

type Answering = (asked: HttpRequest, answer: HttpAnswer) => HttpAnswer;

const isOf = ({ method, url }: HttpRequest, asked: string, path: string) =>
  method === asked && new URL(url).pathname.endsWith(path);

/** What the specification leaves open, otherwise than the sandbox does it. */
const OTHERWISE: Record<string, Answering> = {
  'serves nothing at the base of the webhooks interface': (asked, answer) =>
    isOf(asked, 'GET', '/webhooks/v1') ? { ...answer, status: 404, body: '' } : answer,
  'answers 403 on the webhooks interface': (asked, answer) =>
    isOf(asked, 'GET', '/webhooks/v1') && answer.status === 401 ? { ...answer, status: 403 } : answer,
  'lists contents inside an object': (asked, answer) =>
    isOf(asked, 'GET', '/rest/v1/contents') && answer.status === 200
      ? { ...answer, body: `{"contents":${answer.body}}` }
      : answer,
  'needs more for a create': (asked, answer) =>
    isOf(asked, 'POST', '/rest/v1/contents') && answer.status === 201
      ? { ...answer, status: 422, body: '{}' }
      : answer,
  'has no archive': (asked, answer) =>
    isOf(asked, 'POST', '/archive') ? { ...answer, status: 404, body: '' } : answer,
};

it.each(Object.entries(OTHERWISE))(
  'a platform that %s violates nothing',
  async (_otherwise, answering) => {
    const { tenant, reset } = await examineSandbox(sandbox.controlUrl, async (asked) =>
      answering(asked, await sendOverHttps(asked, agent)),
    );

    const results = await runChecks(ALL_CHECKS, { read: tenant, write: tenant, begin: reset });

    expect(results.filter(({ outcome }) => outcome === 'failed' || outcome === 'broken')).toEqual([]);
    expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(30);
  },
  PATIENCE_MS,
);
