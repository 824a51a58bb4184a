import { runForked } from './program/forked';
import { runStandAlone } from './program/stand-alone';

if (process.send) {
  runForked(process.send.bind(process));
} else {
  void runStandAlone(process.argv.slice(2)).then((exitStatus) => process.exit(exitStatus));
}
