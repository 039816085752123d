import { Command, CommanderError } from 'commander'
import { chatCommand } from './commands/chat.ts'
import { connectCommand } from './commands/connect.ts'
import { decisionsCommand } from './commands/decisions.ts'
import { enginesCommand } from './commands/engines.ts'
import { hookCommand } from './commands/hook.ts'
import { lcmCommand } from './commands/lcm.ts'
import { mcpCommand } from './commands/mcp.ts'
import { addReplayOptions, replayCommand } from './commands/replay.ts'
import { runCommand } from './commands/run.ts'
import { serveCommand } from './commands/serve.ts'
import { sessionsCommand } from './commands/sessions.ts'
import { storeCommands } from './commands/store.ts'
import type { DemoFlags } from './replay/run-demo.ts'
import { version } from './version.ts'
import { HELP_WIDTH, wrapHelp } from './wrap-help.ts'

export function createProgram(): Command {
  const program = new Command('palimpsest')
    .description('Keeps long agent conversations inside the context window without losing what was said.')
    .version(version)
    // `sessions` and its `search` share option names, so an option belongs to the command before it.
    .enablePositionalOptions()
  for (const command of [
    demoCommand(),
    replayCommand(),
    sessionsCommand(),
    chatCommand(),
    runCommand(),
    hookCommand(),
    serveCommand(),
    enginesCommand(),
    storeCommands(),
    lcmCommand(),
    mcpCommand(),
    connectCommand(),
    decisionsCommand(),
  ])
    program.addCommand(command)
  // `main` prints errors and sets our own exit codes.
  for (const command of withSubcommands(program)) {
    command.configureHelp({ subcommandTerm: (each) => each.name() }).configureOutput({
      getOutHelpWidth: () => HELP_WIDTH,
      writeOut: (text) => process.stdout.write(wrapHelp(text)),
      outputError() {},
    })
    command.exitOverride((error) => {
      const isForClient = error.code === 'commander.unknownOption' && command.name() === 'run'
      const hint = " (the client's own options go after --)"
      throw isForClient ? new CommanderError(error.exitCode, error.code, error.message + hint) : error
    })
  }
  return program
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

const DEMO_WINDOW = 64_000

function demoCommand(): Command {
  return addReplayOptions(new Command('demo'), DEMO_WINDOW, 'decisions over lcm')
    .option('--no-open', 'leave the browser alone; without a terminal and a desktop it is never opened')
    .description('Replays the bundled session, a coding agent at work for hours, and shows it on a page.')
    .action(async (flags: DemoFlags) => {
      const { loadConfiguration } = await import('./engines/configuration.ts')
      const { runDemo } = await import('./replay/run-demo.ts')
      process.exitCode = await runDemo(await loadConfiguration(flags.config, process.cwd()), flags)
    })
}
