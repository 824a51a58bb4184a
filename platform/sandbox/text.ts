import { z } from 'zod';

/** Text of such a length in characters, of which one outside the Basic Multilingual Plane is one, as in JSON Schema. */
export function textSchema(minChars: number, maxChars: number) {
  const allowed = `a string of ${minChars} to ${maxChars} characters`;
  const isOfLength = (text: string) => {
    const { length } = [...text];
    return minChars <= length && length <= maxChars;
  };
  return z.string(allowed).refine(isOfLength, allowed).meta({ minLength: minChars, maxLength: maxChars });
}
