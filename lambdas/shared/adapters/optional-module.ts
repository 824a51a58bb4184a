import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * Loads a module from `lambdas/optional/`. It is a file of its own beside the handler, and only of deployments that use it:
 * the others' cold starts don't pay for it.
 * @param name its file, without extension
 * @throws {Error} if it is not deployed with the function
 */
export function loadOptionalModule<Module>(name: string): Module {
  return createRequire(join(__dirname, 'handler.js'))(`./${name}.js`) as Module;
}
