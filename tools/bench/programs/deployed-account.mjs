/**
 * An AWS account on loopback, in the process and the virtual time of the `cdk` command that deploys to it: STS, SSM, S3 and
 * CloudFormation, with limited rates. Loaded with `node --import`; it keeps its state in a folder, and its figures beside.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { CloudFormationStacks, Refusal, xml } from './cloudformation-stacks.mjs';
import { continueAt, hold } from './virtual-time.mjs';

const { stateDir, place, times, callMs, callsPerSec } = JSON.parse(process.env.DEPLOYED_ACCOUNT);
const { account, region } = place;
const STATE_FILE = join(stateDir, 'state.json');
const BUCKET = `cdk-hnb659fds-assets-${account}-${region}`;
const BOOTSTRAP_VERSION = '30';

const state = existsSync(STATE_FILE)
  ? JSON.parse(readFileSync(STATE_FILE, 'utf8'))
  : { nowMs: 0, objects: {}, stacks: { CDKToolkit: bootstrapStack() } };
continueAt(state.nowMs);
const beganMs = Date.now();
const calls = {};
let throttled = 0;

const objectFile = (key) => join(stateDir, key);
const stacks = new CloudFormationStacks(state.stacks, {
  ...{ place, times },
  readObject: (key) => readFileSync(objectFile(key), 'utf8'),
});

function bootstrapStack() {
  const outputs = {
    BucketName: BUCKET,
    BucketDomainName: `${BUCKET}.s3.amazonaws.com`,
    BootstrapVersion: BOOTSTRAP_VERSION,
  };
  const template = { Resources: {} };
  return { name: 'CDKToolkit', id: 'CDKToolkit', createdMs: 0, verb: 'CREATE', endsMs: 0, outputs, template };
}

/** A bucket of tokens for each action, as CloudFormation limits each by itself. */
const buckets = new Map();
function isThrottled(action) {
  const { tokens, atMs } = buckets.get(action) ?? { tokens: callsPerSec, atMs: Date.now() };
  const now = Math.min(callsPerSec, tokens + ((Date.now() - atMs) / 1000) * callsPerSec);
  const isEmpty = now < 1;
  buckets.set(action, { tokens: isEmpty ? now : now - 1, atMs: Date.now() });
  return isEmpty;
}

const STS = {
  GetCallerIdentity: () => `<Arn>arn:aws:iam::${account}:user/operator</Arn><Account>${account}</Account>`,
  AssumeRole: (parameters) =>
    `<Credentials><AccessKeyId>${randomUUID()}</AccessKeyId><SecretAccessKey>x</SecretAccessKey><SessionToken>x</SessionToken>` +
    `<Expiration>${new Date(Date.now() + 3_600_000).toISOString()}</Expiration></Credentials>` +
    `<AssumedRoleUser><Arn>${parameters.get('RoleArn')}</Arn><AssumedRoleId>x</AssumedRoleId></AssumedRoleUser>`,
};

/** @throws {Refusal} */
function answer({ method, url, headers }, body) {
  if (headers['x-amz-target'] === 'AmazonSSM.GetParameter')
    return JSON.stringify({ Parameter: { Type: 'String', Value: BOOTSTRAP_VERSION } });
  const parameters = new URLSearchParams(body.toString());
  const action = parameters.get('Action');
  if (method !== 'POST' || action === null)
    return answerOfBucket(method, new URL(url, 'http://127.0.0.1'), body);
  calls[action] = (calls[action] ?? 0) + 1;
  if (STS[action] === undefined && isThrottled(action)) {
    throttled += 1;
    throw new Refusal('Throttling', 'Rate exceeded');
  }
  const result = STS[action]?.(parameters) ?? stacks.answer(action, parameters);
  return `<${action}Response xmlns="https://aws.example/"><${action}Result>${result}</${action}Result></${action}Response>`;
}

function answerOfBucket(method, { pathname, searchParams }, body) {
  if (method === 'PUT') {
    const key = pathname.split('/').at(-1);
    state.objects[key] = body.length;
    if (key.endsWith('.json')) writeFileSync(objectFile(key), body);
    return '';
  }
  if (searchParams.has('location')) return `<LocationConstraint>${region}</LocationConstraint>`;
  if (searchParams.has('encryption'))
    throw new Refusal('ServerSideEncryptionConfigurationNotFoundError', 'no encryption', 404);
  const key = searchParams.get('prefix');
  const size = state.objects[key];
  const found = size === undefined ? '' : `<Contents><Key>${key}</Key><Size>${size}</Size></Contents>`;
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${found}</ListBucketResult>`;
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    await hold(callMs);
    // The SDK repeats a call after which it corrects its clock.
    response.setHeader('date', new Date().toUTCString());
    try {
      response.end(answer(request, Buffer.concat(chunks)));
    } catch (error) {
      if (!(error instanceof Refusal)) process.stderr.write(`${error.stack}\n`);
      response.statusCode = error.status ?? 500;
      response.end(
        `<ErrorResponse><Error><Code>${error.code}</Code><Message>${xml(error.message)}</Message></Error></ErrorResponse>`,
      );
    }
  });
});
server.on('connection', (socket) => socket.unref());
// The command reads the variable after this module.
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
server.unref();
process.env.AWS_ENDPOINT_URL = `http://127.0.0.1:${server.address().port}`;

process.on('exit', () => {
  writeFileSync(STATE_FILE, JSON.stringify({ ...state, nowMs: Date.now() }));
  const sec = (Date.now() - beganMs) / 1000;
  writeFileSync(join(stateDir, 'figures.json'), JSON.stringify({ sec, calls, throttled }));
});
