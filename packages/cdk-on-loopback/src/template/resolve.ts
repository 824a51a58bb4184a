import { isJsonObject } from '../json-object';
import { TemplateError } from './template';

/** A created resource's values for `Ref` and `Fn::GetAtt`. */
export interface CreatedResource {
  ref: string;
  attributes: Record<string, string>;
  /** Any other attribute. @default there are no others */
  attributeOf?: (name: string) => string;
}

/** The values of the names in a template while its stack is provisioned. */
export interface ResolveScope {
  stackName: string;
  /** Pseudo parameters such as `AWS::Region`, without `AWS::NoValue`. */
  pseudoParameters: Record<string, string>;
  /** Value of a template parameter; undefined if the template does not have it. */
  parameter(name: string): string | undefined;
  /** @throws {TemplateError} if the template does not have the condition */
  condition(name: string): boolean;
  mappings: Record<string, Record<string, Record<string, unknown>>>;
  resource(logicalId: string): CreatedResource | undefined;
  /** Value of an SSM parameter in the account. */
  ssmParameter(name: string): string | undefined;
}

const NO_VALUE = Symbol('AWS::NoValue');
type Resolve = (value: unknown, path: string) => unknown;

/**
 * Resolves the intrinsic functions in a part of a template. Leaves out what is `AWS::NoValue`.
 * @throws {TemplateError} naming stack and path of anything not supported
 * @see AWS CloudFormation User Guide, "Intrinsic function reference"
 */
export function resolve(value: unknown, scope: ResolveScope, path: string): unknown {
  const fail = (at: string, message: string): never => {
    throw new TemplateError('not_supported', `stack ${scope.stackName}, ${at}: ${message}`);
  };
  const walk: Resolve = (part, at) => {
    if (Array.isArray(part)) {
      return part.map((item, n) => walk(item, `${at}[${n}]`)).filter((item) => item !== NO_VALUE);
    }
    if (typeof part === 'string') return resolveDynamic(part, at);
    if (!isJsonObject(part)) return part;
    const entries = Object.entries(part);
    const name = entries.find(([key]) => key === 'Ref' || key.startsWith('Fn::'))?.[0];
    if (name === undefined) {
      return Object.fromEntries(
        entries
          .map(([key, item]) => [key, walk(item, `${at}.${key}`)])
          .filter(([, item]) => item !== NO_VALUE),
      );
    }
    if (entries.length !== 1) fail(at, `${name} must be the only key`);
    const intrinsic = INTRINSICS[name];
    if (!intrinsic)
      return fail(at, `unknown intrinsic function ${name}; supported: ${Object.keys(INTRINSICS).join(', ')}`);
    const resolved = intrinsic({ argument: entries[0]![1], at: `${at}.${name}`, scope, walk, fail });
    // A function may have composed a dynamic reference.
    return typeof resolved === 'string' ? resolveDynamic(resolved, at) : resolved;
  };
  const resolveDynamic = (text: string, at: string): string =>
    text.replace(/\{\{resolve:([^:}]+):([^}]*)\}\}/g, (_, service: string, name: string) => {
      if (service !== 'ssm')
        return fail(at, `a dynamic reference to ${service} would put a secret into the template: refused`);
      return scope.ssmParameter(name.replace(/:\d+$/, '')) ?? fail(at, `no SSM parameter is named ${name}`);
    });
  return walk(value, path);
}

interface IntrinsicCall {
  argument: unknown;
  at: string;
  scope: ResolveScope;
  walk: Resolve;
  fail: (at: string, message: string) => never;
}

const INTRINSICS: Record<string, (call: IntrinsicCall) => unknown> = {
  Ref: ({ argument, at, scope, fail }) => reference(String(argument), at, scope, fail),
  'Fn::GetAtt': ({ argument, at, scope, fail }) => {
    const [logicalId = '', ...attribute] = Array.isArray(argument)
      ? argument.map(String)
      : String(argument).split('.');
    return attributeOf(logicalId, attribute.join('.'), at, scope, fail);
  },
  'Fn::Sub': ({ argument, at, scope, walk, fail }) => {
    const [text, own] = Array.isArray(argument) ? (argument as [unknown, unknown]) : [argument, {}];
    const variables = walk(own, `${at}[1]`) as Record<string, unknown>;
    return String(text).replace(/\$\{([^}]+)\}/g, (_, name: string) => {
      if (name.startsWith('!')) return `\${${name.slice(1)}}`;
      if (Object.hasOwn(variables, name)) return String(variables[name]);
      const [logicalId = '', ...attribute] = name.split('.');
      if (attribute.length > 0) return attributeOf(logicalId, attribute.join('.'), at, scope, fail);
      return String(reference(name, at, scope, fail));
    });
  },
  'Fn::Join': (call) => {
    const [separator, items] = list(call);
    if (!Array.isArray(items)) return call.fail(call.at, 'needs a list to join');
    return items.map(String).join(String(separator));
  },
  'Fn::Select': (call) => {
    const [index, items] = list(call);
    const selected: unknown = Array.isArray(items) ? items[Number(index)] : undefined;
    return selected ?? call.fail(call.at, `nothing at index ${String(index)}`);
  },
  'Fn::Split': (call) => {
    const [separator, text] = list(call);
    return String(text).split(String(separator));
  },
  'Fn::If': ({ argument, at, scope, walk, fail }) => {
    if (!Array.isArray(argument) || argument.length !== 3)
      return fail(at, 'needs a condition and two values');
    const [name, yes, no] = argument as [unknown, unknown, unknown];
    return scope.condition(String(name)) ? walk(yes, `${at}[1]`) : walk(no, `${at}[2]`);
  },
  'Fn::FindInMap': (call) => {
    const [map, first, second] = list(call).map(String);
    const value = call.scope.mappings[map ?? '']?.[first ?? '']?.[second ?? ''];
    return value ?? call.fail(call.at, `mapping ${map} has no value for ${first}, ${second}`);
  },
  'Fn::Equals': (call) => {
    const [one, other] = list(call);
    return String(one) === String(other);
  },
  'Fn::And': (call) => conditions(call).every(Boolean),
  'Fn::Or': (call) => conditions(call).some(Boolean),
  'Fn::Not': (call) => !conditions(call)[0],
  'Fn::ImportValue': ({ at, fail }) =>
    fail(at, 'exports between stacks are not supported; read an SSM parameter instead'),
};

function list({ argument, at, walk, fail }: IntrinsicCall): unknown[] {
  const resolved = walk(argument, at);
  return Array.isArray(resolved) ? resolved : fail(at, 'needs a list');
}

/** Evaluates the operands of a condition function: other functions, or `{"Condition": name}`. */
function conditions({ argument, at, scope, walk, fail }: IntrinsicCall): boolean[] {
  if (!Array.isArray(argument)) return fail(at, 'needs a list of conditions');
  return argument.map((item: unknown, n) => {
    const named = isJsonObject(item) && 'Condition' in item;
    return named ? scope.condition(String(item.Condition)) : walk(item, `${at}[${n}]`) === true;
  });
}

function reference(name: string, at: string, scope: ResolveScope, fail: IntrinsicCall['fail']): unknown {
  if (name === 'AWS::NoValue') return NO_VALUE;
  return (
    scope.pseudoParameters[name] ??
    scope.parameter(name) ??
    scope.resource(name)?.ref ??
    fail(at, `no resource or parameter is named ${name}`)
  );
}

function attributeOf(
  logicalId: string,
  attribute: string,
  at: string,
  scope: ResolveScope,
  fail: IntrinsicCall['fail'],
): string {
  const resource = scope.resource(logicalId) ?? fail(at, `no resource is named ${logicalId}`);
  const known = Object.keys(resource.attributes).join(', ') || 'none';
  return (
    resource.attributes[attribute] ??
    resource.attributeOf?.(attribute) ??
    fail(at, `${logicalId} has no attribute ${attribute}; supported: ${known}`)
  );
}

/** The resources and parameters that a part of a template refers to, without pseudo parameters. */
export function referencedNames(value: unknown): Set<string> {
  const names = new Set<string>();
  const add = (name: string): void => {
    if (!name.startsWith('AWS::') && !name.startsWith('!')) names.add(name.split('.')[0]!);
  };
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, item] of Object.entries(part)) {
      if (key === 'Ref') add(String(item));
      else if (key === 'Fn::GetAtt') add(Array.isArray(item) ? String(item[0]) : String(item));
      else if (key === 'Fn::Sub') {
        const text: unknown = Array.isArray(item) ? item[0] : item;
        for (const [, name] of String(text).matchAll(/\$\{([^}]+)\}/g)) add(name!);
      }
      walk(item);
    }
  };
  walk(value);
  return names;
}
