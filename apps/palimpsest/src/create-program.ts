import { closestName } from '@palimpsest/core/options'
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
    suggestMeant(command)
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

const UNKNOWN = new Set(['commander.unknownOption', 'commander.unknownCommand'])

function suggestMeant(command: Command): void {
  command.showSuggestionAfterError(false).exitOverride((error) => {
    const advice = adviceOn(error, command)
    const message = error.message
      .replace(/command-argument value '(.*)' is invalid for argument '(.*?)'/, "there is no $2 '$1'")
      .replace(/\.$/, '')
    throw new CommanderError(error.exitCode, error.code, advice ? `${message} (${advice})` : message)
  })
}

function adviceOn({ code, message }: CommanderError, command: Command): string | undefined {
  const given = /'([^'=]*)/.exec(message)?.[1] ?? ''
  const [first, rest] = command.registeredArguments
  if (code === 'commander.missingArgument' && first?.name() === given) return first.argChoices?.join(', ')
  if (code === 'commander.invalidArgument') return meantChoice(message)
  if (!UNKNOWN.has(code)) return undefined
  const meant = closest(given, command)
  if (meant !== undefined) return `did you mean ${meant}?`
  return code === 'commander.unknownOption' && rest?.variadic
    ? `${rest.description}: ${command.parent?.name()} ${command.name()} … -- ${given}`
    : `see ${fullName(command)} --help`
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
}

/** The choice that was probably meant, among those that an error names. */
function meantChoice(message: string): string | undefined {
  const [, given = '', list = ''] = /'([^']*)' is invalid.*Allowed choices are (.*)\.$/.exec(message) ?? []
  const choices = list.split(', ')
  const meant =
    choices.find((choice) => given.length > 2 && choice.startsWith(given)) ?? closestName(given, choices)
  return meant === undefined ? undefined : `did you mean ${meant}?`
}

function closest(given: string, command: Command): string | undefined {
  if (!given.startsWith('-')) return closestName(given, namesOf(command))
  const meant = closestName(given.replace(/^-+/, ''), optionsOf(command))
  return meant === undefined ? undefined : `--${meant}`
}

function namesOf(command: Command): string[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((one) => one.name())
}

function optionsOf(command: Command): string[] {
  const own = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long?.slice(2) ?? [])
  return command.parent === null ? own : [...own, ...optionsOf(command.parent)]
}
