/**
 * Returns the path of a program, after building it if its sources changed.
 * @throws {Error} if it cannot be built or written
 */
export function upToDate(program: 'app' | 'host' | 'latchkey' | 'npm-start' | 'sandbox' | 'start'): string;

/**
 * Builds all programs of the package. Returns the folders of the npm packages in them, by file.
 * @throws {Error} if one cannot be built or written
 */
export function buildAll(): Record<string, string[]>;

/** The folders of the npm packages among the inputs of a build. */
export function packagesIn(inputs: string[]): string[];
