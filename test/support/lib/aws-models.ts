import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { IGNORED, isReason, NEWER_THAN_MODELS, RESOURCE_SHAPES, type ShapesOfType } from './aws-model-shapes';
import { type PlacedResource } from './synthesis';

/** Where Debian's package python3-botocore has AWS's API models. */
const MODELS = '/usr/lib/python3/dist-packages/botocore/data';

/** Whether AWS's models are on this machine. */
export const hasAwsModels = existsSync(MODELS);

/** A shape of an API model. `min` and `max` limit a number, or the length of a text, list or map. */
interface Shape {
  type: string;
  members?: Record<string, { shape: string }>;
  member?: { shape: string };
  key?: { shape: string };
  value?: { shape: string };
  enum?: string[];
  pattern?: string;
  min?: number;
  max?: number;
}

type Shapes = Record<string, Shape>;

/** A value that AWS would refuse. */
export interface Refusal {
  /** Stack, logical id, type and property. */
  place: string;
  found: string;
  allowed: string;
}

/** Literal values of one type. A document, such as a policy, is one text to the API and counts as one value. */
export interface Count {
  judged: number;
  notJudged: number;
}

export interface Judgment {
  counts: Map<string, Count>;
  refusals: Refusal[];
  /** The rows of {@link NEWER_THAN_MODELS} that were needed. */
  usedRows: Set<string>;
}

const loaded = new Map<string, Shapes>();

/** The shapes of a service's newest API version. */
function shapesOf(service: string): Shapes {
  const known = loaded.get(service);
  if (known !== undefined) return known;
  const version = readdirSync(join(MODELS, service)).sort().at(-1)!;
  const file = join(MODELS, service, version, 'service-2.json');
  const { shapes } = JSON.parse(readFileSync(file, 'utf8')) as { shapes: Shapes };
  loaded.set(service, shapes);
  return shapes;
}

/** What a template knows only when it is deployed. */
const UNKNOWN = Symbol('unknown');
/** Plausible values. */
const PSEUDO_PARAMETERS: Record<string, string> = {
  'AWS::AccountId': '222233334444',
  'AWS::Partition': 'aws-us-gov',
  'AWS::Region': 'ap-southeast-1',
  'AWS::URLSuffix': 'amazonaws.com',
};

/**
 * Replaces intrinsic functions by their value. In a text, an unknown part has the length 0, so that only what is surely too long
 * is refused.
 */
function resolve(value: unknown): { value: unknown; isPartial?: boolean } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value };
  const [[name, argument] = ['', undefined], ...others] = Object.entries(value);
  if (others.length > 0 || !(name === 'Ref' || name.startsWith('Fn::'))) return { value };
  if (name === 'Ref') return { value: PSEUDO_PARAMETERS[argument as string] ?? UNKNOWN };
  if (name !== 'Fn::Join') return { value: UNKNOWN };
  const [separator, parts] = argument as [string, unknown];
  if (!Array.isArray(parts)) return { value: UNKNOWN };
  const texts = parts.map((part) => resolve(part).value);
  const isPartial = texts.some((text) => typeof text !== 'string');
  return { value: texts.map((text) => (typeof text === 'string' ? text : '')).join(separator), isPartial };
}

/** Judges resources against the API shapes of their types. @throws {Error} for a type without a shape or a reason */
export function judge(resources: readonly PlacedResource[]): Judgment {
  const judgment: Judgment = { counts: new Map(), refusals: [], usedRows: new Set() };
  for (const { stack, logicalId, Type: type, Properties } of resources) {
    const entry = RESOURCE_SHAPES[type];
    if (entry === undefined) throw new Error(`${type}: no shape in RESOURCE_SHAPES, and no reason`);
    const count = judgment.counts.get(type) ?? { judged: 0, notJudged: 0 };
    judgment.counts.set(type, count);
    new ResourceJudge(judgment, count, `${stack} ${logicalId}`, type).judge(Properties, entry);
  }
  return judgment;
}

class ResourceJudge {
  private readonly judgment: Judgment;
  private readonly count: Count;
  private readonly resource: string;
  private readonly type: string;

  constructor(judgment: Judgment, count: Count, resource: string, type: string) {
    this.judgment = judgment;
    this.count = count;
    this.resource = resource;
    this.type = type;
  }

  judge(properties: Record<string, unknown>, entry: ShapesOfType | string): void {
    if (isReason(entry)) {
      this.leaveOut(properties);
      return;
    }
    const shapes = shapesOf(entry.service);
    this.members(properties, shapes, entry.shape, '', entry.properties ?? {});
  }

  private members(
    values: Record<string, unknown>,
    shapes: Shapes,
    shapeName: string,
    path: string,
    renamed: Readonly<Record<string, string>>,
  ): void {
    const { members = {} } = shapeNamed(shapes, shapeName);
    for (const [name, value] of Object.entries(values)) {
      const property = path === '' ? name : `${path}.${name}`;
      const target = renamed[property];
      if (target === IGNORED) {
        this.leaveOut(value);
        continue;
      }
      const shape = target ?? memberShape(members, name);
      if (shape !== undefined) this.value(value, shapes, shapeAt(shapes, shape), property, renamed);
      else if (this.isNewer(property)) this.leaveOut(value);
      else this.refuse(property, name, `the members of ${shapeName}: ${Object.keys(members).join(', ')}`);
    }
  }

  private value(
    written: unknown,
    shapes: Shapes,
    shapeName: string,
    path: string,
    renamed: Readonly<Record<string, string>>,
  ): void {
    const { value, isPartial } = resolve(written);
    if (value === UNKNOWN) return;
    const shape = shapeNamed(shapes, shapeName);
    if (Array.isArray(value)) {
      const isList = shape.type === 'list';
      if (isList) this.limits(shape, value.length, path, `${value.length} items`, 'items');
      const item = isList ? shape.member!.shape : shapeName;
      for (const each of value) this.value(each, shapes, item, path, renamed);
      return;
    }
    if (typeof value === 'object' && value !== null) {
      const object = value as Record<string, unknown>;
      if (shape.type === 'structure') this.members(object, shapes, shapeName, path, renamed);
      else if (shape.type === 'map') {
        this.limits(shape, Object.keys(object).length, path, `${Object.keys(object).length} keys`, 'keys');
        for (const [key, each] of Object.entries(object)) {
          this.value(key, shapes, shape.key!.shape, path, renamed);
          this.value(each, shapes, shape.value!.shape, `${path}.${key}`, renamed);
        }
      } else this.leaf(documentText(object), shape, path, true);
      return;
    }
    this.leaf(value as string | number | boolean, shape, path, isPartial === true);
  }

  /** @param isPartial whether the text has parts that are not known yet: it may be longer */
  private leaf(value: string | number | boolean, shape: Shape, path: string, isPartial: boolean): void {
    this.count.judged += 1;
    const { type, enum: allowed, pattern, max } = shape;
    const text = String(value);
    if (['integer', 'long', 'double', 'float'].includes(type)) {
      if (Number.isNaN(Number(text)) || text === '') this.refuse(path, text, `a number`);
      else this.limits(shape, Number(text), path, text, '');
      return;
    }
    if (type === 'boolean') {
      if (text !== 'true' && text !== 'false') this.refuse(path, text, 'true, false');
      return;
    }
    if (type !== 'string' && type !== 'blob' && type !== 'timestamp') {
      this.refuse(path, text, `a ${type}`);
      return;
    }
    const known = isPartial ? { max } : shape;
    this.limits(known, [...text].length, path, text, 'characters');
    if (isPartial) return;
    if (allowed !== undefined && !allowed.includes(text)) this.refuse(path, text, allowed.join(', '));
    if (pattern !== undefined && !wholly(pattern).test(text)) this.refuse(path, text, pattern);
  }

  private limits(
    { min = -Infinity, max = Infinity }: Pick<Shape, 'min' | 'max'>,
    size: number,
    path: string,
    found: string,
    unit: string,
  ): void {
    if (size < min || size > max) this.refuse(path, found, `${min} to ${max} ${unit}`.trim());
  }

  private refuse(path: string, found: string, allowed: string): void {
    if (this.isNewer(path, found)) return;
    const place = `${this.resource} ${this.type}.${path}`;
    this.judgment.refusals.push({ place, found: found.slice(0, 200), allowed: allowed.slice(0, 400) });
  }

  /** Whether the allow list has the property, or this value of it. */
  private isNewer(path: string, value?: string): boolean {
    const rows = [`${this.type}.${path}`, `${this.type}.${path}=${value}`];
    const row = rows.find((each) => Object.hasOwn(NEWER_THAN_MODELS, each));
    if (row !== undefined) this.judgment.usedRows.add(row);
    return row !== undefined;
  }

  /** Counts the literals of a value that has no shape. */
  private leaveOut(written: unknown): void {
    const { value } = resolve(written);
    if (value === UNKNOWN) return;
    if (typeof value !== 'object' || value === null) this.count.notJudged += 1;
    else for (const each of Object.values(value)) this.leaveOut(each);
  }
}

/** The text of a document that CloudFormation takes as an object; what is unknown has the length 0. */
function documentText(document: object): string {
  return JSON.stringify(document, (_, each: unknown) => {
    const { value } = resolve(each);
    return value === UNKNOWN ? '' : value;
  });
}

/** CloudFormation writes a member's name with a capital letter. */
function memberShape(
  members: Readonly<Record<string, { shape: string }>>,
  property: string,
): string | undefined {
  const name = Object.keys(members).find((each) => each.toLowerCase() === property.toLowerCase());
  return name === undefined ? undefined : members[name]!.shape;
}

/** @param reference `Shape`, or `Shape.member` */
function shapeAt(shapes: Shapes, reference: string): string {
  const [shapeName, member] = reference.split('.') as [string, string?];
  if (member === undefined) return shapeName;
  const shape = memberShape(shapeNamed(shapes, shapeName).members ?? {}, member);
  if (shape === undefined) throw new Error(`the model has no ${reference}`);
  return shape;
}

function shapeNamed(shapes: Shapes, name: string): Shape {
  const shape = shapes[name];
  if (shape === undefined) throw new Error(`the model has no shape ${name}`);
  return shape;
}

/** AWS's patterns match whole texts, with or without anchors. Some are not valid in Unicode mode, others need it. */
function wholly(pattern: string): RegExp {
  const whole = `^(?:${pattern})$`;
  try {
    return new RegExp(whole, 'su');
  } catch {
    return new RegExp(whole, 's');
  }
}
