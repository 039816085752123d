import { closestName } from '@palimpsest/core/options'
import { type Command, CommanderError } from 'commander'

/** The mistakes that a suggestion helps with, and what stands in quotes in their messages. */
const UNKNOWN = new Set(['commander.unknownOption', 'commander.unknownCommand'])

/**
 * Lets a command's errors be thrown, with the option or command that was probably meant (names are compared as everywhere), the
 * choices of an argument that is missing, and where options of another program go.
 */
export function suggestMeant(command: Command): void {
  command.showSuggestionAfterError(false).exitOverride((error) => {
    const advice = adviceOn(error, command)
    throw advice === undefined
      ? error
      : new CommanderError(error.exitCode, error.code, `${error.message} (${advice})`)
  })
}

function adviceOn({ code, message }: CommanderError, command: Command): string | undefined {
  const given = /'([^'=]*)/.exec(message)?.[1] ?? ''
  const [first, rest] = command.registeredArguments
  if (code === 'commander.missingArgument' && first?.name() === given) return first.argChoices?.join(', ')
  if (!UNKNOWN.has(code)) return undefined
  const meant = closest(given, command)
  if (meant !== undefined) return `did you mean ${meant}?`
  return code === 'commander.unknownOption' && rest?.variadic
    ? `${rest.description}: ${command.parent?.name()} ${command.name()} … -- ${given}`
    : undefined
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

/** Without their dashes; those of the commands above count, too. */
function optionsOf(command: Command): string[] {
  const own = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long?.slice(2) ?? [])
  return command.parent === null ? own : [...own, ...optionsOf(command.parent)]
}
