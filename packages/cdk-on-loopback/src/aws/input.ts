import { isJsonObject } from '../json-object';
import { AwsError, validationError } from './aws-error';

/** Minimum and maximum of a text's length or a number's value, both inclusive. */
interface Bounds {
  min?: number;
  max?: number;
  /** Whether a text's length is its number of bytes in UTF-8. */
  inBytes?: true;
}

/**
 * The parameters of one call. Its methods throw {AwsError}: SerializationException for a wrong type, ValidationException
 * for a value out of bounds. No message repeats a value.
 */
export class Input {
  private readonly fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.fields = fields;
  }

  /** @throws {AwsError} ValidationException naming a parameter that is not in `known` */
  refuseOtherThan(known: readonly string[]): void {
    const other = Object.keys(this.fields).find(
      (name) => !known.includes(name) && this.fields[name] !== null,
    );
    if (other !== undefined) {
      throw validationError(
        `the local endpoint does not support the parameter ${other}; supported: ${known.join(', ') || 'none'}`,
      );
    }
  }

  has(name: string): boolean {
    return this.fields[name] !== undefined && this.fields[name] !== null;
  }

  text(name: string, bounds: Bounds = {}): string {
    const value = this.optionalText(name, bounds);
    if (value === undefined) throw invalid(name, 'Member must not be null');
    return value;
  }

  optionalText(name: string, { min = 1, max = Infinity, inBytes }: Bounds = {}): string | undefined {
    const value = this.typed(name, 'string') as string | undefined;
    if (value === undefined) return undefined;
    requireBounds(name, inBytes ? Buffer.byteLength(value) : value.length, 'length', { min, max });
    return value;
  }

  /** Reads bytes, in base64. */
  optionalBytes(name: string, { min = 1, max = Infinity }: Bounds = {}): Buffer | undefined {
    const value = this.typed(name, 'string') as string | undefined;
    if (value === undefined) return undefined;
    const bytes = Buffer.from(value, 'base64');
    requireBounds(name, bytes.length, 'length', { min, max });
    return bytes;
  }

  optionalInteger(name: string, bounds: Bounds = {}): number | undefined {
    const value = this.typed(name, 'number') as number | undefined;
    if (value === undefined) return undefined;
    if (!Number.isInteger(value)) throw wrongType(name);
    requireBounds(name, value, 'value', bounds);
    return value;
  }

  optionalNumber(name: string): number | undefined {
    return this.typed(name, 'number') as number | undefined;
  }

  optionalBoolean(name: string): boolean | undefined {
    return this.typed(name, 'boolean') as boolean | undefined;
  }

  optionalTexts(name: string, bounds: Bounds = {}): string[] | undefined {
    const values = this.optionalList(name, bounds);
    if (values?.some((value) => typeof value !== 'string')) throw wrongType(name);
    return values as string[] | undefined;
  }

  /** Reads a structure. */
  optionalInput(name: string): Input | undefined {
    if (!this.has(name)) return undefined;
    const value = this.fields[name];
    if (!isJsonObject(value)) throw wrongType(name);
    return new Input(value);
  }

  /** Reads a list of structures. */
  optionalInputs(name: string, bounds: Bounds = {}): Input[] | undefined {
    return this.optionalList(name, bounds)?.map((value) => {
      if (!isJsonObject(value)) throw wrongType(name);
      return new Input(value);
    });
  }

  /** Reads a map of structures, which must be present. */
  map(name: string): Map<string, Input> {
    const map = this.optionalMap(name);
    if (!map) throw invalid(name, 'Member must not be null');
    return map;
  }

  optionalMap(name: string): Map<string, Input> | undefined {
    const map = this.optionalInput(name);
    return (
      map && new Map(Object.keys(map.fields).map((key) => [key, map.optionalInput(key) ?? new Input({})]))
    );
  }

  private optionalList(name: string, bounds: Bounds): unknown[] | undefined {
    if (!this.has(name)) return undefined;
    const value = this.fields[name];
    if (!Array.isArray(value)) throw wrongType(name);
    requireBounds(name, value.length, 'length', bounds);
    return value as unknown[];
  }

  private typed(name: string, type: 'string' | 'number' | 'boolean'): unknown {
    if (!this.has(name)) return undefined;
    if (typeof this.fields[name] !== type) throw wrongType(name);
    return this.fields[name];
  }
}

function requireBounds(
  name: string,
  size: number,
  what: string,
  { min = -Infinity, max = Infinity }: Bounds,
): void {
  if (size < min) throw invalid(name, `Member must have ${what} greater than or equal to ${min}`);
  if (size > max) throw invalid(name, `Member must have ${what} less than or equal to ${max}`);
}

function invalid(name: string, constraint: string): AwsError {
  const member = name.charAt(0).toLowerCase() + name.slice(1);
  return validationError(
    `1 validation error detected: Value at '${member}' failed to satisfy constraint: ${constraint}`,
  );
}

function wrongType(name: string): AwsError {
  return new AwsError('SerializationException', `the parameter ${name} has the wrong type`);
}
