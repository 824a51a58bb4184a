import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ATTRIBUTES, IGNORED, NEWER_THAN_MODELS, RESOURCE_SHAPES } from './aws-model-shapes';
import { type PlacedResource } from './synthesis';

/** Where Debian's package python3-botocore has AWS's API models. */
const MODELS = '/usr/lib/python3/dist-packages/botocore/data';

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

interface Refusal {
  /** Stack, logical id, type and property. */
  place: string;
  found: string;
  allowed: string;
}

const loaded = new Map<string, Shapes>();

function shapesOf(service: string): Shapes {
  if (!loaded.has(service)) {
    const version = readdirSync(join(MODELS, service)).sort().at(-1)!;
    const file = join(MODELS, service, version, 'service-2.json');
    loaded.set(service, (JSON.parse(readFileSync(file, 'utf8')) as { shapes: Shapes }).shapes);
  }
  return loaded.get(service)!;
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

/** What the API shapes of their types say of resources. */
export class Judgment {
  readonly refusals: Refusal[] = [];
  /** The rows of {@link NEWER_THAN_MODELS} that were needed. */
  readonly usedRows = new Set<string>();
  #resource = '';
  #type = '';
  #shapes: Shapes = {};
  #renamed: Readonly<Record<string, string>> = {};

  constructor(resources: readonly PlacedResource[]) {
    for (const { stack, logicalId, Type: type, Properties } of resources) {
      const entry = RESOURCE_SHAPES[type];
      if (entry === undefined) throw new Error(`${type}: no entry in RESOURCE_SHAPES`);
      if (entry === ATTRIBUTES) continue;
      const [reference, renamed = {}] = entry;
      const [service, shapeName] = reference.split(' ') as [string, string];
      this.#resource = `${stack} ${logicalId}`;
      this.#type = type;
      this.#shapes = shapesOf(service);
      this.#renamed = renamed;
      this.#judgeMembers(Properties, shapeName, '');
    }
  }

  #judgeMembers(values: Record<string, unknown>, shapeName: string, path: string): void {
    const { members = {} } = this.#shapeNamed(shapeName);
    for (const [name, value] of Object.entries(values)) {
      const property = path === '' ? name : `${path}.${name}`;
      const shape = this.#renamed[property] ?? memberShape(members, name);
      if (shape === undefined)
        this.#refuse(property, name, `the members of ${shapeName}: ${Object.keys(members).join(', ')}`);
      else if (shape !== IGNORED) this.#judge(value, this.#shapeAt(shape), property);
    }
  }

  #judge(written: unknown, shapeName: string, path: string): void {
    const { value, isPartial = false } = resolve(written);
    if (value === UNKNOWN) return;
    const shape = this.#shapeNamed(shapeName);
    if (Array.isArray(value)) {
      const isList = shape.type === 'list';
      if (isList) this.#limit(shape, value.length, path, 'items');
      for (const each of value) this.#judge(each, isList ? shape.member!.shape : shapeName, path);
    } else if (typeof value !== 'object' || value === null) {
      this.#judgeLeaf(String(value), shape, path, isPartial);
    } else if (shape.type === 'structure') {
      this.#judgeMembers(value as Record<string, unknown>, shapeName, path);
    } else if (shape.type === 'map') {
      const entries = Object.entries(value);
      this.#limit(shape, entries.length, path, 'keys');
      for (const [key, each] of entries) {
        this.#judge(key, shape.key!.shape, path);
        this.#judge(each, shape.value!.shape, `${path}.${key}`);
      }
    } else this.#judgeLeaf(documentText(value), shape, path, true);
  }

  /** @param isPartial whether the text has parts that are not known yet: it may be longer */
  #judgeLeaf(text: string, shape: Shape, path: string, isPartial: boolean): void {
    const { type, enum: allowed, pattern, max } = shape;
    if (['integer', 'long', 'double', 'float'].includes(type)) {
      if (Number.isNaN(Number(text)) || text === '') this.#refuse(path, text, 'a number');
      else this.#limit(shape, Number(text), path);
    } else if (type === 'boolean') {
      if (text !== 'true' && text !== 'false') this.#refuse(path, text, 'true, false');
    } else if (type !== 'string' && type !== 'blob' && type !== 'timestamp') {
      this.#refuse(path, text, `a ${type}`);
    } else {
      this.#limit(isPartial ? { max } : shape, [...text].length, path, 'characters');
      if (isPartial) return;
      if (allowed !== undefined && !allowed.includes(text)) this.#refuse(path, text, allowed.join(', '));
      if (pattern !== undefined && !wholly(pattern).test(text)) this.#refuse(path, text, pattern);
    }
  }

  #limit(
    { min = -Infinity, max = Infinity }: Pick<Shape, 'min' | 'max'>,
    size: number,
    path: string,
    unit = '',
  ): void {
    if (size < min || size > max) this.#refuse(path, `${size} ${unit}`, `${min} to ${max} ${unit}`);
  }

  /** Unless the allow list has the property, or this value of it. */
  #refuse(path: string, found: string, allowed: string): void {
    const property = `${this.#type}.${path}`;
    const row = [property, `${property}=${found}`].find((each) => NEWER_THAN_MODELS.includes(each));
    if (row !== undefined) this.usedRows.add(row);
    else this.refusals.push({ place: `${this.#resource} ${property}`, found, allowed });
  }

  /** @param reference `Shape`, or `Shape.member` */
  #shapeAt(reference: string): string {
    const [shapeName, member] = reference.split('.') as [string, string?];
    if (member === undefined) return shapeName;
    const shape = memberShape(this.#shapeNamed(shapeName).members ?? {}, member);
    if (shape === undefined) throw new Error(`the model has no ${reference}`);
    return shape;
  }

  #shapeNamed(name: string): Shape {
    const shape = this.#shapes[name];
    if (shape === undefined) throw new Error(`the model has no shape ${name}`);
    return shape;
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
function memberShape(members: Record<string, { shape: string }>, property: string): string | undefined {
  const name = Object.keys(members).find((each) => each.toLowerCase() === property.toLowerCase());
  return name === undefined ? undefined : members[name]!.shape;
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
