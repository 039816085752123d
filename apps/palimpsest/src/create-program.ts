import { Command } from 'commander'
import { decisionsCommand } from './commands/decisions.ts'
import { demoCommand } from './commands/demo.ts'
import { enginesCommand } from './commands/engines.ts'
import { lcmCommand } from './commands/lcm.ts'
import { replayCommand } from './commands/replay.ts'
import { serveCommand } from './commands/serve.ts'
import { version } from './version.ts'

/** The whole command line. Faults of the user are thrown, not printed: `main` prints one line for each. */
export function createProgram(): Command {
  const program = new Command('palimpsest')
    .description('Keeps long agent conversations inside the context window without losing what was said.')
    .version(version)
  for (const command of [
    replayCommand(),
    demoCommand(),
    enginesCommand(),
    lcmCommand(),
    decisionsCommand(),
    serveCommand(),
  ])
    program.addCommand(command)
  // One line for a mistake, and exit codes of our own: `main` sees to both.
  for (const command of withSubcommands(program)) command.exitOverride().configureOutput({ outputError() {} })
  return program
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}
