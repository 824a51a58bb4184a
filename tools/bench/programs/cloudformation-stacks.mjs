/**
 * The stacks of an account, as CloudFormation keeps them: an operation starts each resource once those that it refers to are
 * complete, and its events appear as time goes on. The responses are the inner part of CloudFormation's XML.
 */
import { createHash, randomUUID } from 'node:crypto';

const PAGE = 100;
const EXPRESSION = /\$\{([^.}]+)/g;
const NO_CHANGES =
  "The submitted information didn't contain changes. Submit different information to create a change set.";

/** An error response. */
export class Refusal extends Error {
  constructor(code, message, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export const xml = (text) =>
  String(text).replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character]);
const element = (name, content) => `<${name}>${content}</${name}>`;
const elements = (values) =>
  Object.entries(values)
    .map(([name, value]) => element(name, xml(value)))
    .join('');
const list = (name, items) => element(name, items.map((item) => element('member', item)).join(''));
const iso = (ms) => new Date(ms).toISOString();
const nameIn = (nameOrArn) => (nameOrArn.startsWith('arn:') ? nameOrArn.split('/')[1] : nameOrArn);
const isEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** The logical ids that a resource has to wait for. */
function dependencies(value, isId, found = new Set()) {
  if (value === null || typeof value !== 'object') return found;
  for (const [key, each] of Object.entries(value)) {
    const names =
      key === 'Ref' || key === 'DependsOn'
        ? [each].flat()
        : key === 'Fn::GetAtt'
          ? [[each].flat()[0].split('.')[0]]
          : key === 'Fn::Sub'
            ? [...JSON.stringify(each).matchAll(EXPRESSION)].map(([, name]) => name)
            : [];
    for (const name of names) if (isId(name)) found.add(name);
    dependencies(each, isId, found);
  }
  return found;
}

export class CloudFormationStacks {
  #stacks;
  #place;
  #times;
  #readObject;
  #alarmAtMs = 0;

  /**
   * @param stacks by name, of an earlier process
   * @param place the account and region
   * @param times seconds of a change set, of the start and end of an operation and of a resource; alarms that are put per second
   * @param readObject reads the object of a template URL
   */
  constructor(stacks, { place, times, readObject }) {
    this.#stacks = stacks;
    this.#place = place;
    this.#times = times;
    this.#readObject = readObject;
  }

  /** @throws {Refusal} as CloudFormation would */
  answer(action, parameters) {
    const run = this[action];
    if (run === undefined) throw new Refusal('InvalidAction', `no action ${action}`);
    return run.call(this, parameters);
  }

  DescribeStacks(parameters) {
    return list('Stacks', [this.#description(this.#find(parameters))]);
  }

  GetTemplate(parameters) {
    return element('TemplateBody', xml(JSON.stringify(this.#find(parameters).template ?? {})));
  }

  CreateStack(parameters) {
    const stack = this.#create(parameters);
    this.#operate(stack, 'CREATE', this.#templateOf(parameters));
    return elements({ StackId: stack.id });
  }

  UpdateStack(parameters) {
    const stack = this.#settled(parameters);
    const template = this.#templateOf(parameters);
    if (isEqual(template, stack.template))
      throw new Refusal('ValidationError', 'No updates are to be performed.');
    this.#operate(stack, 'UPDATE', template);
    return elements({ StackId: stack.id });
  }

  CreateChangeSet(parameters) {
    const name = nameIn(parameters.get('StackName'));
    const stack = this.#stacks[name] === undefined ? this.#create(parameters) : this.#settled(parameters);
    const { account, region } = this.#place;
    const id = `arn:aws:cloudformation:${region}:${account}:changeSet/${parameters.get('ChangeSetName')}/${randomUUID()}`;
    const readyMs = Date.now() + this.#times.changeSetSec * 1000;
    stack.changeSet = { id, createdMs: Date.now(), readyMs, template: this.#templateOf(parameters) };
    return elements({ Id: id, StackId: stack.id });
  }

  DescribeChangeSet(parameters) {
    const stack = this.#find(parameters);
    const { changeSet } = stack;
    if (changeSet === undefined) throw new Refusal('ChangeSetNotFound', 'ChangeSet does not exist', 404);
    const { id, createdMs, readyMs, template } = changeSet;
    const before = stack.template?.Resources ?? {};
    const changed = Object.entries(template.Resources).filter(([key, each]) => !isEqual(each, before[key]));
    const isReady = Date.now() >= readyMs;
    const status = !isReady ? 'CREATE_IN_PROGRESS' : changed.length === 0 ? 'FAILED' : 'CREATE_COMPLETE';
    const changes = changed.map(
      ([LogicalResourceId, { Type: ResourceType }]) =>
        elements({ Type: 'Resource' }) +
        element(
          'ResourceChange',
          elements({ Action: before[LogicalResourceId] ? 'Modify' : 'Add', LogicalResourceId, ResourceType }),
        ),
    );
    return (
      elements({
        ...{ ChangeSetName: id.split('/')[1], ChangeSetId: id, StackId: stack.id, StackName: stack.name },
        ...{ CreationTime: iso(createdMs), Status: status },
        ExecutionStatus: status === 'CREATE_COMPLETE' ? 'AVAILABLE' : 'UNAVAILABLE',
        ...(status === 'FAILED' && { StatusReason: NO_CHANGES }),
      }) + list('Changes', status === 'CREATE_COMPLETE' ? changes : [])
    );
  }

  DeleteChangeSet(parameters) {
    delete this.#find(parameters).changeSet;
    return '';
  }

  ExecuteChangeSet(parameters) {
    const stack = this.#find(parameters);
    const { template } = stack.changeSet;
    delete stack.changeSet;
    this.#operate(stack, stack.template === undefined ? 'CREATE' : 'UPDATE', template);
    return '';
  }

  DescribeStackEvents(parameters) {
    const { id, name, events } = this.#find(parameters);
    const past = events.filter(({ atMs }) => atMs <= Date.now()).reverse();
    const from = Number(parameters.get('NextToken') ?? 0);
    const page = past
      .slice(from, from + PAGE)
      .map(({ atMs, ...event }) =>
        elements({ StackId: id, StackName: name, Timestamp: iso(atMs), ...event }),
      );
    const isLast = from + PAGE >= past.length;
    return list('StackEvents', page) + (isLast ? '' : elements({ NextToken: from + PAGE }));
  }

  #find(parameters) {
    const name = nameIn(parameters.get('StackName'));
    const stack = this.#stacks[name];
    if (stack === undefined) throw new Refusal('ValidationError', `Stack with id ${name} does not exist`);
    return stack;
  }

  #settled(parameters) {
    const stack = this.#find(parameters);
    const status = this.#statusOf(stack);
    if (status !== 'REVIEW_IN_PROGRESS' && status.endsWith('_IN_PROGRESS'))
      throw new Refusal('ValidationError', `Stack:${stack.id} is in ${status} state and can not be updated.`);
    return stack;
  }

  #create(parameters) {
    const name = parameters.get('StackName');
    const { account, region } = this.#place;
    const digest = createHash('sha256').update(name).digest('hex').slice(0, 32);
    const id = `arn:aws:cloudformation:${region}:${account}:stack/${name}/${digest}`;
    const stack = { name, id, createdMs: Date.now(), events: [] };
    this.#stacks[name] = stack;
    return stack;
  }

  #templateOf(parameters) {
    const url = parameters.get('TemplateURL');
    return JSON.parse(
      url === null ? parameters.get('TemplateBody') : this.#readObject(url.split('/').at(-1)),
    );
  }

  #statusOf({ verb, endsMs }) {
    if (verb === undefined) return 'REVIEW_IN_PROGRESS';
    return `${verb}_${Date.now() < endsMs ? 'IN_PROGRESS' : 'COMPLETE'}`;
  }

  #description(stack) {
    const parameters = Object.entries(stack.template?.Parameters ?? {}).map(([ParameterKey, { Default }]) =>
      elements({ ParameterKey, ParameterValue: Default }),
    );
    const outputs = Object.entries(stack.outputs ?? {}).map(([OutputKey, OutputValue]) =>
      elements({ OutputKey, OutputValue }),
    );
    return (
      elements({
        ...{ StackId: stack.id, StackName: stack.name, CreationTime: iso(stack.createdMs) },
        StackStatus: this.#statusOf(stack),
      }) +
      list('Parameters', parameters) +
      list('Outputs', outputs)
    );
  }

  /** Plans an operation from its start to its end. */
  #operate(stack, verb, template) {
    const { startSec, endSec, resourceSec } = this.#times;
    const beganMs = Date.now();
    const before = stack.template?.Resources ?? {};
    const { Resources: resources } = template;
    const isId = (name) => Object.hasOwn(resources, name);
    const ends = new Map();
    const add = (atMs, LogicalResourceId, ResourceType, ResourceStatus, PhysicalResourceId) =>
      stack.events.push({
        ...{
          atMs,
          EventId: randomUUID(),
          LogicalResourceId,
          ResourceType,
          ResourceStatus,
          PhysicalResourceId,
        },
      });
    const endOf = (id) => {
      if (ends.has(id)) return ends.get(id);
      // A resource that refers to itself does not wait for itself.
      ends.set(id, beganMs + startSec * 1000);
      const startsMs = Math.max(ends.get(id), ...[...dependencies(resources[id], isId)].map(endOf));
      if (isEqual(before[id], resources[id])) return startsMs;
      const { Type } = resources[id];
      const endsMs = this.#beginsMs(Type, startsMs) + resourceSec * 1000;
      const resourceVerb = before[id] === undefined ? 'CREATE' : 'UPDATE';
      add(startsMs, id, Type, `${resourceVerb}_IN_PROGRESS`, '');
      add(endsMs, id, Type, `${resourceVerb}_COMPLETE`, `physical-${id}`);
      ends.set(id, endsMs);
      return endsMs;
    };
    const ofStack = (atMs, status) => add(atMs, stack.name, 'AWS::CloudFormation::Stack', status, stack.id);
    ofStack(beganMs, `${verb}_IN_PROGRESS`);
    stack.endsMs = Math.max(...Object.keys(resources).map(endOf)) + endSec * 1000;
    ofStack(stack.endsMs, `${verb}_COMPLETE`);
    stack.events.sort((a, b) => a.atMs - b.atMs);
    Object.assign(stack, { verb, template });
  }

  /** CloudFormation repeats throttled calls of PutMetricAlarm, so alarms are put one after the other. */
  #beginsMs(type, startsMs) {
    if (type !== 'AWS::CloudWatch::Alarm') return startsMs;
    this.#alarmAtMs = Math.max(startsMs, this.#alarmAtMs + 1000 / this.#times.alarmsPerSec);
    return this.#alarmAtMs;
  }
}
