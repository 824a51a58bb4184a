/**
 * Returns the path of a program, after building it if its sources changed.
 * @throws {Error} if it cannot be built or written
 */
export function upToDate(program: 'host' | 'latchkey' | 'sandbox' | 'start'): string;

/**
 * Builds all programs, and writes the notices. Returns the packages in them.
 * @throws {Error} if one cannot be built or written, or if a package has no text of its license
 */
export function buildAll(): { name: string; version: string; license: string; text: string }[];
