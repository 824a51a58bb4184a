import { ConfigurationError, loadConfiguration } from '../lib/options/load';
import { roleDocuments } from '../lib/stacks/role-documents';

/** The program of `latchkey roles`. Prints what the roles of a configuration file need, as JSON. */
function main(): void {
  const configuration = loadConfiguration(process.env.LATCHKEY_CONFIG!);
  process.stdout.write(JSON.stringify(roleDocuments(configuration)));
}

try {
  main();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
