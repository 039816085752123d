import { Command } from 'commander'
import { demoCommand } from './commands/demo.ts'
import { replayCommand } from './commands/replay.ts'
import { version } from './version.ts'

/** The whole command line. Faults of the user are thrown, not printed: `main` prints one line for each. */
export function createProgram(): Command {
  return new Command('palimpsest')
    .description('Keeps long agent conversations inside the context window without losing what was said.')
    .version(version)
    .addCommand(replayCommand())
    .addCommand(demoCommand())
    .showHelpAfterError('Run with --help to see what is possible.')
}
